"""Exports of rows to French invoices: CSV, fixed width, a workbook."""
import csv
import re
import zipfile
from datetime import date, timedelta
from decimal import Decimal
from xml.etree.ElementTree import iterparse

from french import COMPANIES, HUNDRED, NEGOCE, address, invoice, iso, line, number, receiver, totals

RATES = {"T20": "20", "T20S": "20", "T10": "10", "T55": "5.5", "T21": "2.1", "T0": "0"}
RATES = {code: Decimal(rate) for code, rate in RATES.items()}


def grouped(rows, key):
    group = []
    for row in rows:
        if group and key(group[0]) != key(row):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def decimal_comma(text):
    return number(text.replace(" ", "").replace("\xa0", "").replace(",", "."))


def day(text):
    parts = text.strip().split("/")
    return date(int(parts[2]), int(parts[1]), int(parts[0])).isoformat()


def csv_documents(path):
    with open(path, encoding="cp1252", newline="") as source:
        reader = csv.reader(source, delimiter=";", strict=True)
        next(reader)
        for rows in grouped(reader, lambda row: row[2]):
            first = rows[0]
            lines = []
            for row in rows:
                if row[:12] != first[:12] or row[19:] != first[19:]:
                    raise ValueError(f"several values in {first[2]}")
                quantity, price = decimal_comma(row[15]), decimal_comma(row[17])
                lines.append(line(row[12], row[13], row[14], quantity, row[16], price, RATES[row[18].strip()]))
            sums = totals(lines, decimal_comma(first[20]))
            if sums["subtotals"][0]["amount"] != decimal_comma(first[19]):
                raise ValueError(first[2])
            buyer = receiver(first[5], first[6], first[7], address(first[8], first[10], first[9]))
            company = COMPANIES[first[0]]
            yield invoice(first[2], day(first[3]), day(first[4]), company, buyer, lines, sums, reference=first[11])


def compact(text):
    return date(int(text[:4]), int(text[4:6]), int(text[6:8])).isoformat()


def implied(text, decimals):
    sign = -1 if text.endswith("-") else 1
    return sign * Decimal(int(text.rstrip("-"))).scaleb(-decimals)


def fixed_documents(path):
    count = rows = 0
    net = Decimal(0)
    header, lines = None, []
    with open(path, encoding="cp850", newline="") as source:
        for record in source:
            record = record.rstrip("\r\n")
            if len(record) != 100:
                raise ValueError(record)
            kind = record[0]
            if kind in "29" and header is not None:
                yield fixed_invoice(header, lines)
                count += 1
            if kind == "2":
                header, lines = record, []
            elif kind == "3":
                quantity, price, rate = implied(record[43:52], 3), implied(record[55:65], 4), implied(record[65:69], 2)
                place = str(int(record[1:5]))
                lines.append(line(place, record[5:13], record[13:43], quantity, record[52:55], price, rate))
                rows += 1
                net += lines[-1]["net-amount"]
            elif kind == "9" and (int(record[1:7]), int(record[7:13]), implied(record[13:26], 2)) != (count, rows, net):
                raise ValueError("control totals")


def fixed_invoice(record, lines):
    buyer = receiver(record[27:52], record[52:61], "", address(record[61:79], record[84:100], record[79:84]))
    company = COMPANIES[record[1:3]]
    return invoice(
        record[3:11], compact(record[11:19]), compact(record[19:27]), company, buyer, lines, totals(lines),
    )


MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LETTERS = re.compile(r"[A-Z]+")
EPOCH = date(1899, 12, 30)


def sheet_rows(path):
    with zipfile.ZipFile(path) as archive:
        strings = []
        with archive.open("xl/sharedStrings.xml") as part:
            for _, element in iterparse(part):
                if element.tag == MAIN + "si":
                    strings.append("".join(text.text or "" for text in element.iter(MAIN + "t")))
                    element.clear()
        with archive.open("xl/worksheets/sheet1.xml") as part:
            for _, element in iterparse(part):
                if element.tag != MAIN + "row":
                    continue
                cells = {}
                for cell in element:
                    column = LETTERS.match(cell.get("r"))[0]
                    kind = cell.get("t")
                    if kind == "inlineStr":
                        cells[column] = "".join(text.text or "" for text in cell.iter(MAIN + "t"))
                        continue
                    value = cell.find(MAIN + "v")
                    if value is not None:
                        cells[column] = strings[int(value.text)] if kind == "s" else value.text
                yield cells
                element.clear()


def serial(text):
    return (EPOCH + timedelta(days=int(text))).isoformat()


def workbook_documents(path):
    rows = sheet_rows(path)
    for row in rows:
        if row.get("A") == "N° facture":
            break
    head, lines, quantities = None, [], Decimal(0)
    for row in rows:
        if row.get("A") and head:
            yield workbook_invoice(head, lines)
            lines = []
        if row.get("A") == "TOTAL":
            if number(row["M"]) != quantities:
                raise ValueError("control total")
            break
        if row.get("A"):
            head = row
        quantity, rate = number(row["M"]), (number(row["P"]) * HUNDRED).normalize()
        quantities += quantity
        lines.append(line(row["J"], row["K"], row["L"], quantity, row["N"], number(row["O"]), rate))


def workbook_invoice(head, lines):
    place = address(head["G"], head["I"], head["H"].zfill(5))
    buyer = receiver(head["D"], head["E"], head.get("F", ""), place)
    sums = totals(lines, number(head["Q"]))
    return invoice(head["A"], iso(serial(head["B"])), iso(serial(head["C"])), NEGOCE, buyer, lines, sums)
