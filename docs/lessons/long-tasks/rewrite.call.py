"""Compare the proposal with the record."""

from pairs import Tidied, check_rewrite

try:
    gone = check_rewrite(record, proposed)
    print("may go:", [call.id for call in gone])
    print(f"{len(record)} messages become {len(proposed)}")
except Tidied as error:
    print("refused:", error)
    print("the record stays selected:", len(record), "messages")
