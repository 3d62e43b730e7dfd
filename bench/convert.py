"""The same job in Python: csv, decimal and json, the same documents. Prints its figures as one line of JSON."""
import csv
import json
import resource
import sys
import time
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
INVOICE = {
    "payload": {"document": dict, "issuer": dict, "receiver": dict, "lines": list, "totals": dict},
    "document": {"identifier": str, "date": str, "date-due": str, "currency": str, "language": str},
    "line": {
        "number": str, "identifier": str, "description": str, "quantity": Decimal, "unit": str,
        "unit-price": Decimal, "net-amount": Decimal, "taxes": list,
    },
    "tax": {"type": str, "subtype": str, "percent": Decimal, "amount": Decimal},
    "totals": {"final-amount": Decimal, "currency": str, "subtotals": list},
}


def number(text):
    return Decimal(text.strip().replace(",", "."))


def day(text):
    parts = text.strip().split("/")
    if len(parts) != 3 or len(parts[0]) != 2 or len(parts[1]) != 2 or len(parts[2]) != 4:
        raise ValueError(text)
    return f"{parts[2]}-{parts[1]}-{parts[0]}"


def fits(block, shape):
    for key, value in block.items():
        if not isinstance(value, shape[key]):
            raise TypeError(key)


def cents(value):
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def document(rows):
    first = rows[0]
    (identifier, date, due, name, siren, vat, street, postal, city) = first[:9]
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
        fits(tax, INVOICE["tax"])
        fits(line, INVOICE["line"])
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
    date, due = day(date), day(due)
    if net != number(first[16]) or net + tax != number(first[17]) or due < date:
        raise ValueError(identifier)
    payload = {
        "document": {
            "identifier": identifier.strip(), "date": date, "date-due": due, "currency": "EUR", "language": "fr",
        },
        "issuer": ISSUER,
        "receiver": {
            "name": name.strip(),
            "identifiers": [{"type": "siren", "value": siren.strip()}, {"type": "vat", "value": vat.strip()}],
            "address": {
                "street": street.strip(), "city": city.strip(), "postal-code": postal.strip(), "country": "FR",
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
    fits(payload, INVOICE["payload"])
    fits(payload["document"], INVOICE["document"])
    fits(payload["totals"], INVOICE["totals"])
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
