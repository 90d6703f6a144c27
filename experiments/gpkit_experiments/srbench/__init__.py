"""gpkit as a method of SRBench: the files of its folder there."""
