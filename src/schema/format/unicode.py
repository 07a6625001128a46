#!/usr/bin/env python3
"""Writes unicode.c: which code points a label of an internationalised host name may hold
(the derived property of RFC 5892), what its rules must know of them, and how they compose (NFC).

usage: unicode.py [FOLDER] > unicode.c
FOLDER holds the Unicode character database: /usr/share/unicode of Debian's package unicode-data.
"""
import re
import sys

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
LAST = 0x10FFFF


def lines(name):
    for line in open(f"{FOLDER}/{name}", encoding="utf-8"):
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) > 1:
            first, _, last = fields[0].partition("..")
            yield range(int(first, 16), int(last or first, 16) + 1), fields[1:]


def having(name, *values):
    return {c for points, fields in lines(name) if fields[0] in values for c in points}


category, order, direction, parts = {}, {}, {}, {}
first = None
for line in open(f"{FOLDER}/UnicodeData.txt", encoding="utf-8"):
    code, name, gc, ccc, bidi, decomposition = line.split(";")[:6]
    if name.endswith("First>"):
        first = int(code, 16)
        continue
    for c in range(int(code, 16) if first is None else first, int(code, 16) + 1):
        category[c], order[c], direction[c] = gc, int(ccc), bidi
        if decomposition and decomposition[0] != "<":
            parts[c] = [int(part, 16) for part in decomposition.split()]
    first = None

# RFC 5892 section 2, in the order of section 3.
VALID = {0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007}
CONTEXT = {0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, *range(0x660, 0x66A), *range(0x6F0, 0x6FA)}
NEVER = {0x640, 0x7FA, 0x302E, 0x302F, *range(0x3031, 0x3036), 0x303B}
nonchar = having("PropList.txt", "Noncharacter_Code_Point")
joiner = having("PropList.txt", "Join_Control")
ignorable = (nonchar | having("PropList.txt", "White_Space") |
             having("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point"))
unstable = having("DerivedNormalizationProps.txt", "NFKC_CF")
blocks = having("Blocks.txt", "Combining Diacritical Marks for Symbols", "Musical Symbols",
                "Ancient Greek Musical Notation")
jamo = having("HangulSyllableType.txt", "L", "V", "T")


def allowed(c):
    if c in VALID:
        return "LETTER_ALWAYS"
    if c in CONTEXT:
        return "LETTER_IN_CONTEXT"
    if c in NEVER or c not in category:
        return None
    if c == 0x2D or 0x30 <= c <= 0x39 or 0x61 <= c <= 0x7A:
        return "LETTER_ALWAYS"
    if c in joiner:
        return "LETTER_IN_CONTEXT"
    if c in unstable or c in ignorable or c in blocks or c in jamo:
        return None
    return "LETTER_ALWAYS" if category[c] in ("Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc") else None


joining = {c: fields[0] for points, fields in lines("extracted/DerivedJoiningType.txt") for c in points}
script = {c: fields[0] for points, fields in lines("Scripts.txt") for c in points}
JOINING = {"L": ["LETTER_JOINS_NEXT"], "R": ["LETTER_JOINS_LAST"], "T": ["LETTER_JOINS_THROUGH"],
           "D": ["LETTER_JOINS_LAST", "LETTER_JOINS_NEXT"]}
SCRIPT = {"Greek": "LETTER_GREEK", "Hebrew": "LETTER_HEBREW", "Hiragana": "LETTER_JAPANESE",
          "Katakana": "LETTER_JAPANESE", "Han": "LETTER_JAPANESE"}
DIRECTION = {"L": "LETTER_L", "R": "LETTER_R", "AL": "LETTER_R", "AN": "LETTER_AN", "EN": "LETTER_EN",
             "NSM": "LETTER_NSM"}


def letter(c):
    may = allowed(c)
    if not may:
        return ("0", 0)
    traits = [may, *JOINING.get(joining.get(c), []), DIRECTION.get(direction[c])]
    traits += ["LETTER_MARK"] if category[c][0] == "M" else []
    traits += [SCRIPT.get(script.get(c))]
    return (" | ".join(trait for trait in traits if trait), order[c])


letters, runs = {}, []
for c in range(LAST + 1):
    kind = letters.setdefault(letter(c), len(letters))
    if runs and runs[-1][1] == kind:
        runs[-1][2] += 1
    else:
        runs.append([c, kind, 1])
assert len(letters) <= 128 and next(iter(letters)) == ("0", 0)

# A run of one is its kind plus 128; a longer one the kind, then the length in base 128.
data, index = [], []
for number, (start, kind, length) in enumerate(runs):
    if number % 64 == 0:
        index.append((start, len(data)))
    if length == 1:
        data.append(kind | 128)
        continue
    data.append(kind)
    while length >= 128:
        data.append(length & 127 | 128)
        length >>= 7
    data.append(length)

composites = [(c, *pair) for c, pair in sorted(parts.items()) if allowed(c)]
assert all(len(c) == 3 and allowed(c[1]) and category[c[2]][0] == "M" for c in composites)


def rows(items):
    row = "\t"
    for item in items:
        if len(row) + 7 + len(item) > 100:
            print(row.rstrip())
            row = "\t"
        row += item + ", "
    print(row.rstrip())


version = re.search(r"-([0-9.]+)\.txt", open(f"{FOLDER}/Scripts.txt").readline()).group(1)
print(f"/* Written by unicode.py from Unicode {version}; change that and run it again. */")
print('#include "format.h"\n\n/* clang-format off */')
print("const struct letter idna_letters[] = {")
for traits, ccc in letters:
    print(f"\t{{ {traits}, {ccc} }},")
print("};\n\nconst struct letter_block idna_blocks[] = {")
rows(f"{{ {start:#x}, {at} }}" for start, at in index)
print(f"}};\nconst size_t idna_block_count = {len(index)};\n")
print("const unsigned char idna_runs[] = {")
rows(str(byte) for byte in data)
print("};\n\nconst struct composite idna_composites[] = {")
rows(f"{{ {c:#x}, {a:#x}, {b:#x} }}" for c, a, b in composites)
print(f"}};\nconst size_t idna_composite_count = {len(composites)};")
