"""The pages of ``gpkit serve``: games to play and to follow, programs and runs, in a browser on the same machine."""
