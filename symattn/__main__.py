"""`python -m symattn`."""

from symattn.cli import main

if __name__ == "__main__":
    main()
