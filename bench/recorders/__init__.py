"""What runs beside a measured program, in CPython 3.14, natively and in Pyodide: each recorder behind one function.

Standard library only, but for the recorder that a file is about, which it imports when it is asked to record.
"""
