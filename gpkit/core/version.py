"""The version of gpkit."""

VERSION = "0.1.0"
