"""Reports on runs: the findings, the charts and the pages."""
