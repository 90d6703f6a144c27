"""The pages of ``gpkit serve``: play games, edit programs and follow runs in a browser."""
