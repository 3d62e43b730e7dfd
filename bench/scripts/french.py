"""French invoices as JSON: cells are checked, totals and check digits too; rules and identities are not."""
import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
HUNDRED = Decimal(100)
UNITS = {
    "M": "MTR", "ML": "MTR", "PCE": "C62", "U": "C62", "KG": "KGM", "H": "HUR", "J": "DAY", "L": "LTR", "FOR": "LS",
}
FRAME = [{"key": "business-process", "value": "B1"}]
NOTES = [
    {
        "tag": "fixed-recovery-fee",
        "content": "Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 EUR",
    },
    {"tag": "late-payment-penalty", "content": "Pénalités de retard au taux de trois fois le taux d'intérêt légal"},
    {"tag": "no-early-payment-discount", "content": "Pas d'escompte pour paiement anticipé"},
]
CABLERIES = {
    "name": "Câbleries du Vallon SAS",
    "trade-name": "Vallon Câbles",
    "identifiers": [{"type": "siren", "value": "999100019"}, {"type": "vat", "value": "FR69999100019"}],
    "e-addresses": [{"type": "routing-address", "value": "999100019"}],
    "address": {"street": "1 chemin de la Corderie", "city": "Vallon-Fictif", "postal-code": "01990", "country": "FR"},
    "contacts": [
        {
            "type": "accounting", "name": "Service clients", "email": "clients@vallon.example",
            "phone": "+33 1 99 00 00 00",
        },
    ],
}
NEGOCE = {
    "name": "Vallon Négoce SARL",
    "identifiers": [{"type": "siren", "value": "999100027"}, {"type": "vat", "value": "FR93999100027"}],
    "e-addresses": [{"type": "routing-address", "value": "999100027"}],
    "address": {"street": "3 chemin de la Corderie", "city": "Vallon-Fictif", "postal-code": "01990", "country": "FR"},
}
COMPANIES = {"01": CABLERIES, "02": NEGOCE}
SIREN = re.compile(r"\d{9}\Z", re.ASCII)
POSTAL = re.compile(r"\d{5}\Z", re.ASCII)
VAT = re.compile(r"FR(\d\d)(\d{9})\Z", re.ASCII)
NUMBER = re.compile(r"-?\d+(\.\d+)?\Z", re.ASCII)


def number(text):
    text = text.strip()
    if not NUMBER.match(text):
        raise ValueError(text)
    return Decimal(text)


def iso(text):
    return date.fromisoformat(text.strip()).isoformat()


def cents(value):
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def siren(text):
    text = text.strip()
    total = 0
    for at, digit in enumerate(reversed(text)):
        value = int(digit) * (1 + at % 2)
        total += value - 9 if value > 9 else value
    if not SIREN.match(text) or total % 10:
        raise ValueError(text)
    return text


def vat(text, number_of_company):
    """The number in the export, or the one that follows from the SIREN."""
    text = text.strip()
    if not text:
        return f"FR{(12 + 3 * (int(number_of_company) % 97)) % 97:02d}{number_of_company}"
    parts = VAT.match(text)
    if not parts or int(parts[1]) != (12 + 3 * (int(parts[2]) % 97)) % 97:
        raise ValueError(text)
    return text


def address(street, city, postal):
    postal = postal.strip()
    if not POSTAL.match(postal):
        raise ValueError(postal)
    return {"street": street.strip(), "city": city.strip(), "postal-code": postal, "country": "FR"}


def receiver(name, company, vat_text, place):
    company = siren(company)
    return {
        "name": name.strip(),
        "identifiers": [{"type": "siren", "value": company}, {"type": "vat", "value": vat(vat_text, company)}],
        "e-addresses": [{"type": "routing-address", "value": company}],
        "address": place,
    }


def line(number_of_line, article, description, quantity, unit, price, rate):
    net = cents(quantity * price)
    return {
        "number": number_of_line.strip(),
        "identifier": article.strip(),
        "description": description.strip(),
        "quantity": quantity,
        "unit": UNITS[unit.strip()],
        "unit-price": price,
        "net-amount": net,
        "taxes": [{"type": "vat", "subtype": "standard", "percent": rate, "amount": cents(net * rate / HUNDRED)}],
    }


def totals(lines, gross=None):
    nets = {}
    for one in lines:
        rate = one["taxes"][0]["percent"]
        nets[rate] = nets.get(rate, 0) + one["net-amount"]
    taxes = [
        {
            "type": "tax", "class": "vat", "subtype": "standard", "percent": rate, "taxable-amount": base,
            "amount": cents(base * rate / HUNDRED),
        }
        for rate, base in nets.items()
    ]
    net = sum(nets.values())
    tax = sum(one["amount"] for one in taxes)
    if gross is not None and net + tax != gross:
        raise ValueError(gross)
    return {"final-amount": net + tax, "currency": "EUR", "subtotals": subtotals(net, tax, taxes)}


def subtotals(net, tax, taxes):
    return [
        {"type": "lines-net-amount", "class": "net", "before-taxes": True, "sign": "positive", "amount": net},
        {
            "type": "tax", "class": "vat", "before-taxes": False, "sign": "positive", "amount": tax,
            "subtotals": taxes,
        },
    ]


def invoice(identifier, issued, due, issuer, buyer, lines, sums, notes=NOTES, reference=""):
    payload = {
        "document": {
            "identifier": identifier.strip(), "date": issued, "date-due": due, "currency": "EUR", "language": "fr",
            "additional-info": FRAME,
        },
        "issuer": issuer,
        "receiver": buyer,
        "lines": lines,
        "totals": sums,
        "notes": notes,
    }
    if reference.strip():
        payload["references"] = [{"type": "buyer-reference", "identifier": reference.strip()}]
    return {"payload": payload}
