"""L. Cabana and Y. Túpac, "Cómo resolver el juego Mastermind a través de computación evolutiva": measured again."""
