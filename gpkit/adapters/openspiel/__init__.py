"""Games of OpenSpiel as games of gpkit, such as ``--game openspiel:connect_four``; with the extra ``openspiel``."""
