"""Ask for the parent's last text."""

from s08.user_code.stand_ins import answer

print(answer(messages))
