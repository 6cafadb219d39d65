"""How the program's values are read: by exact type, without ever calling code of the program's."""
