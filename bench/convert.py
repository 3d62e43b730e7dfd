"""The same job in Python with csv, decimal and json: the same checks of cells and fields, the same documents.

Prints its figures as one line of JSON.
"""
import csv
import json
import re
import resource
import sys
import time
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

VAT = {"T20": Decimal("20"), "T10": Decimal("10"), "T55": Decimal("5.5")}
UNITS = {"PCE": "C62", "M": "MTR", "KG": "KGM"}
CENT = Decimal("0.01")
HUNDRED = Decimal(100)
ISSUER = {
    "name": "Exemple Négoce SAS",
    "identifiers": [{"type": "siren", "value": "900000019"}],
    "address": {"street": "1 rue du Test", "city": "Paris", "postal-code": "75001", "country": "FR"},
}
TEXT, AMOUNT, FLAG, DAY = "text", "amount", "flag", "day"
IDENTIFIER = {"type": TEXT, "value": TEXT, "tag": TEXT, "note": TEXT}
ADDRESS = {
    "street": TEXT, "street-additional": TEXT, "city": TEXT, "postal-code": TEXT, "region": TEXT, "country": TEXT,
}
PARTY = {"identifiers": [IDENTIFIER], "name": TEXT, "trade-name": TEXT, "address": ADDRESS}
TAX = {"type": TEXT, "subtype": TEXT, "percent": AMOUNT, "amount": AMOUNT}
SUBTOTAL = {
    "type": TEXT, "class": TEXT, "subtype": TEXT, "percent": AMOUNT, "taxable-amount": AMOUNT, "amount": AMOUNT,
    "sign": TEXT, "before-taxes": FLAG,
}
SUBTOTAL["subtotals"] = [SUBTOTAL]
LINE = {
    "number": TEXT, "identifier": TEXT, "description": TEXT, "quantity": AMOUNT, "unit": TEXT, "unit-price": AMOUNT,
    "net-amount": AMOUNT, "taxes": [TAX],
}
INVOICE = {
    "document": {"identifier": TEXT, "date": DAY, "date-due": DAY, "currency": TEXT, "language": TEXT},
    "issuer": PARTY,
    "receiver": PARTY,
    "lines": [LINE],
    "totals": {"final-amount": AMOUNT, "currency": TEXT, "subtotals": [SUBTOTAL]},
}
NUMBER = re.compile(r"-?\d+(,\d+)?\Z", re.ASCII)
DAY_FORM = re.compile(r"(\d\d)/(\d\d)/(\d{4})\Z", re.ASCII)
NINE_DIGITS = re.compile(r"\d{9}\Z", re.ASCII)
FIVE_DIGITS = re.compile(r"\d{5}\Z", re.ASCII)
VAT_NUMBER = re.compile(r"FR(\d\d)(\d{9})\Z", re.ASCII)


def number(text):
    text = text.strip()
    if not NUMBER.match(text):
        raise ValueError(text)
    return Decimal(text.replace(",", "."))


def day(text):
    parts = DAY_FORM.match(text.strip())
    if not parts:
        raise ValueError(text)
    return date(int(parts[3]), int(parts[2]), int(parts[1])).isoformat()


def form(pattern, text):
    text = text.strip()
    if not pattern.match(text):
        raise ValueError(text)
    return text


def check(value, shape):
    """Types, and no field that the contract does not know."""
    if shape is TEXT:
        if not isinstance(value, str) or "\0" in value:
            raise TypeError(value)
    elif shape is AMOUNT:
        if not isinstance(value, Decimal):
            raise TypeError(value)
    elif shape is FLAG:
        if not isinstance(value, bool):
            raise TypeError(value)
    elif shape is DAY:
        date.fromisoformat(value)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise TypeError(value)
        for item in value:
            check(item, shape[0])
    else:
        for key, item in value.items():
            check(item, shape[key])


def check_digits(party):
    for identifier in party["identifiers"]:
        text = identifier["value"]
        if identifier["type"] == "siren":
            total = 0
            for at, digit in enumerate(reversed(text)):
                value = int(digit) * (1 + at % 2)
                total += value - 9 if value > 9 else value
            if total % 10:
                raise ValueError(text)
        elif identifier["type"] == "vat":
            parts = VAT_NUMBER.match(text)
            if not parts or int(parts[1]) != (12 + 3 * (int(parts[2]) % 97)) % 97:
                raise ValueError(text)


def cents(value):
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def document(rows):
    first = rows[0]
    (identifier, issued, due, name, siren, vat, street, postal, city) = first[:9]
    lines = []
    nets = {}
    for row in rows:
        if row[:9] != first[:9] or row[16:] != first[16:]:
            raise ValueError(f"several values in {identifier}")
        quantity = number(row[12])
        price = number(row[14])
        rate = VAT[row[15].strip()]
        net = cents(quantity * price)
        nets[rate] = nets.get(rate, 0) + net
        tax = {"type": "vat", "subtype": "standard", "percent": rate, "amount": cents(net * rate / HUNDRED)}
        line = {
            "number": row[9].strip(),
            "identifier": row[10].strip(),
            "description": row[11].strip(),
            "quantity": quantity,
            "unit": UNITS[row[13].strip()],
            "unit-price": price,
            "net-amount": net,
            "taxes": [tax],
        }
        lines.append(line)
    net = sum(nets.values())
    taxes = [
        {
            "type": "tax",
            "class": "vat",
            "subtype": "standard",
            "percent": rate,
            "taxable-amount": base,
            "amount": cents(base * rate / HUNDRED),
        }
        for rate, base in nets.items()
    ]
    tax = sum(one["amount"] for one in taxes)
    issued, due = day(issued), day(due)
    if net != number(first[16]) or net + tax != number(first[17]) or due < issued:
        raise ValueError(identifier)
    payload = {
        "document": {
            "identifier": identifier.strip(), "date": issued, "date-due": due, "currency": "EUR", "language": "fr",
        },
        "issuer": ISSUER,
        "receiver": {
            "name": name.strip(),
            "identifiers": [{"type": "siren", "value": form(NINE_DIGITS, siren)}, {"type": "vat", "value": vat.strip()}],
            "address": {
                "street": street.strip(), "city": city.strip(), "postal-code": form(FIVE_DIGITS, postal), "country": "FR",
            },
        },
        "lines": lines,
        "totals": {
            "final-amount": net + tax,
            "currency": "EUR",
            "subtotals": [
                {"type": "lines-net-amount", "class": "net", "before-taxes": True, "sign": "positive", "amount": net},
                {
                    "type": "tax", "class": "vat", "before-taxes": False, "sign": "positive", "amount": tax,
                    "subtotals": taxes,
                },
            ],
        },
    }
    check(payload, INVOICE)
    check_digits(payload["issuer"])
    check_digits(payload["receiver"])
    subtotals = payload["totals"]["subtotals"]
    if payload["totals"]["final-amount"] != sum(one["amount"] for one in subtotals):
        raise ValueError(identifier)
    return {"payload": payload}


def grouped(reader):
    rows = []
    for row in reader:
        if len(row) != 18:
            raise ValueError(row)
        if rows and rows[0][0] != row[0]:
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows


def main(source, target):
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=plain).encode
    count = 0
    with open(source, encoding="cp1252", newline="") as given, open(target, "w", encoding="utf-8") as made:
        reader = csv.reader(given, delimiter=";", strict=True)
        next(reader)
        for rows in grouped(reader):
            made.write(encode(document(rows)))
            made.write("\n")
            count += 1
    return count


def plain(value):
    """Fifteen digits and fewer are the same number as a float, and the encoder writes those quickest."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(value)


if __name__ == "__main__":
    start = time.perf_counter()
    documents = main(sys.argv[1], sys.argv[2])
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "seconds": seconds,
        "cpuSeconds": used.ru_utime + used.ru_stime,
        "peakMb": used.ru_maxrss / 1024,
        "documents": documents,
    }))
