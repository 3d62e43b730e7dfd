"""Exports of elements to French invoices: the XML of an ERP, UBL, CII."""
from datetime import date
from xml.etree.ElementTree import iterparse

from french import COMPANIES, NOTES, address, invoice, iso, line, number, receiver, siren, subtotals, totals, vat

G, T = "{urn:gestion-fictive:export:2}", "{urn:gestion-fictive:tiers:1}"


def xml_documents(path):
    company = None
    with open(path, "rb") as source:
        for event, element in iterparse(source, events=("start", "end")):
            if event == "start":
                if element.tag == G + "Export":
                    root, company = element, COMPANIES[element.get("societe")]
                continue
            if element.tag != G + "Facture":
                continue
            client = element.find(T + "Client")
            place = client.find(T + "Adresse")
            buyer = receiver(
                client.findtext(T + "Nom"), client.get("siren"), client.get("tva"),
                address(place.findtext(T + "Rue"), place.get("ville"), place.get("cp")),
            )
            lines = [
                line(
                    one.get("no"), one.get("article"), one.findtext(G + "Libelle"), number(one.findtext(G + "Quantite")),
                    one.find(G + "Quantite").get("unite"), number(one.findtext(G + "Prix")),
                    number(one.find(G + "Taxe").get("taux")).normalize(),
                )
                for one in element.iter(G + "Ligne")
            ]
            sums = totals(lines, number(element.find(G + "Totaux").get("ttc")))
            comment = element.findtext(G + "Commentaire")
            notes = [{"content": comment}, *NOTES] if comment else NOTES
            issued, due = iso(element.get("date")), iso(element.get("echeance"))
            yield invoice(element.get("numero"), issued, due, company, buyer, lines, sums, notes)
            root.clear()


TAGS = {"PMT": "fixed-recovery-fee", "PMD": "late-payment-penalty", "AAB": "no-early-payment-discount"}


class Source:
    """One invoice of EN 16931: the parts that the export of the bench has, by the paths of its syntax."""

    def __init__(self, element, paths, names, read_date):
        self.element, self.paths, self.names, self.date = element, paths, names, read_date

    def text(self, name, element=None):
        return (self.element if element is None else element).findtext(self.paths[name], "", self.names)

    def amount(self, name, element=None):
        return number(self.text(name, element))

    def each(self, name):
        return self.element.iterfind(self.paths[name], self.names)


def company(source, role):
    known = siren(source.text(f"{role}.legal"))
    made = {
        "name": source.text(f"{role}.name"),
        "identifiers": [{"type": "siren", "value": known}],
        "e-addresses": [{"type": "routing-address", "value": source.text(f"{role}.endpoint")}],
        "address": address(source.text(f"{role}.street"), source.text(f"{role}.city"), source.text(f"{role}.zone")),
    }
    if role == "seller":
        made["trade-name"] = source.text("seller.trade")
        made["identifiers"].append({"type": "siret", "value": source.text("seller.siret")})
        made["contacts"] = [
            {
                "name": source.text("seller.contact"), "phone": source.text("seller.phone"),
                "email": source.text("seller.email"),
            },
        ]
    made["identifiers"].append({"type": "vat", "value": vat(source.text(f"{role}.vat"), known)})
    return made


def standard_document(source, notes):
    currency, due = source.text("currency"), source.date(source.text("due"))
    lines, lines_net = [], 0
    for one in source.each("lines"):
        rate, net = source.amount("rate", one), source.amount("net", one)
        lines_net += net
        lines.append({
            "number": source.text("line", one),
            "identifier": source.text("article", one),
            "description": source.text("item", one),
            "quantity": source.amount("quantity", one),
            "unit": one.find(source.paths["quantity"], source.names).get("unitCode"),
            "unit-price": source.amount("price", one),
            "net-amount": net,
            "additional-dates": [
                {"type": "period-start", "value": source.date(source.text("start", one))},
                {"type": "period-end", "value": source.date(source.text("end", one))},
            ],
            "taxes": [{"type": "vat", "subtype": "standard", "percent": rate, "amount": net * rate / 100}],
        })
    taxes = [
        {
            "type": "tax", "class": "vat", "subtype": "standard", "percent": source.amount("tax.rate", one),
            "taxable-amount": source.amount("tax.base", one), "amount": source.amount("tax.amount", one),
        }
        for one in source.each("taxes")
    ]
    own, other = [number(one.text) for one in source.each("tax.totals")]
    net, gross = source.amount("total.net"), source.amount("total.gross")
    if lines_net != net or net + own != gross:
        raise ValueError(gross)
    payable = source.amount("total.payable")
    alternate = [{"type": "tax", "class": "vat", "before-taxes": False, "sign": "positive", "amount": other}]
    account = {
        "type": "account",
        "identifiers": [{"type": "iban", "value": source.text("iban")}],
        "names": [{"type": "holder", "value": source.text("holder")}],
    }
    payment = {
        "type": "payment", "amount": payable, "currency": currency,
        "references": [{"type": "payment-reference", "identifier": source.text("payment.reference")}],
        "means": [{"type": source.text("means"), "objects": [account]}],
        "terms": [{"description": source.text("terms")}],
    }
    plain = [{"key": "tax-exclusive-amount", "value": whole(net)}, {"key": "payable-amount", "value": whole(payable)}]
    return {"payload": {
        "document": {
            "identifier": source.text("number"), "date": source.date(source.text("date")), "date-due": due,
            "currency": currency, "currency-taxes": source.text("taxcurrency"), "language": "fr",
            "document-type": "invoice",
            "additional-info": [
                {"key": "type-code", "value": source.text("type")},
                {"key": "business-process", "value": source.text("process")},
                {"key": "specification", "value": source.text("specification")},
            ],
        },
        "issuer": company(source, "seller"),
        "receiver": company(source, "buyer"),
        "references": [{"type": "buyer-reference", "identifier": source.text("buyerref")}],
        "lines": lines,
        "totals": {
            "final-amount": gross, "currency": currency, "subtotals": subtotals(net, own, taxes),
            "additional-info": plain,
        },
        "alternate-totals": [{"currency": source.text("taxcurrency"), "subtotals": alternate}],
        "agreements": [payment],
        "notes": notes,
    }}


def whole(value):
    return format(value.normalize(), "f")


UBL_NAMES = {
    "u": "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
}


def ubl_party(role, at):
    return {
        f"{role}.name": f"{at}/cac:PartyLegalEntity/cbc:RegistrationName",
        f"{role}.trade": f"{at}/cac:PartyName/cbc:Name",
        f"{role}.legal": f"{at}/cac:PartyLegalEntity/cbc:CompanyID",
        f"{role}.siret": f"{at}/cac:PartyIdentification/cbc:ID",
        f"{role}.vat": f"{at}/cac:PartyTaxScheme/cbc:CompanyID",
        f"{role}.endpoint": f"{at}/cbc:EndpointID",
        f"{role}.street": f"{at}/cac:PostalAddress/cbc:StreetName",
        f"{role}.city": f"{at}/cac:PostalAddress/cbc:CityName",
        f"{role}.zone": f"{at}/cac:PostalAddress/cbc:PostalZone",
        f"{role}.contact": f"{at}/cac:Contact/cbc:Name",
        f"{role}.phone": f"{at}/cac:Contact/cbc:Telephone",
        f"{role}.email": f"{at}/cac:Contact/cbc:ElectronicMail",
    }


UBL_PATHS = {
    **ubl_party("seller", "cac:AccountingSupplierParty/cac:Party"),
    **ubl_party("buyer", "cac:AccountingCustomerParty/cac:Party"),
    "number": "cbc:ID", "date": "cbc:IssueDate", "due": "cbc:DueDate", "type": "cbc:InvoiceTypeCode",
    "currency": "cbc:DocumentCurrencyCode", "taxcurrency": "cbc:TaxCurrencyCode", "process": "cbc:ProfileID",
    "specification": "cbc:CustomizationID", "buyerref": "cbc:BuyerReference",
    "means": "cac:PaymentMeans/cbc:PaymentMeansCode", "payment.reference": "cac:PaymentMeans/cbc:PaymentID",
    "iban": "cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID",
    "holder": "cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:Name",
    "terms": "cac:PaymentTerms/cbc:Note", "notes": "cbc:Note",
    "tax.totals": "cac:TaxTotal/cbc:TaxAmount", "taxes": "cac:TaxTotal/cac:TaxSubtotal",
    "tax.base": "cbc:TaxableAmount", "tax.amount": "cbc:TaxAmount", "tax.rate": "cac:TaxCategory/cbc:Percent",
    "total.net": "cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount",
    "total.gross": "cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount",
    "total.payable": "cac:LegalMonetaryTotal/cbc:PayableAmount",
    "lines": "cac:InvoiceLine", "line": "cbc:ID", "quantity": "cbc:InvoicedQuantity", "net": "cbc:LineExtensionAmount",
    "start": "cac:InvoicePeriod/cbc:StartDate", "end": "cac:InvoicePeriod/cbc:EndDate", "item": "cac:Item/cbc:Name",
    "article": "cac:Item/cac:SellersItemIdentification/cbc:ID", "rate": "cac:Item/cac:ClassifiedTaxCategory/cbc:Percent",
    "price": "cac:Price/cbc:PriceAmount",
}


def ubl_document(element):
    source = Source(element, UBL_PATHS, UBL_NAMES, iso)
    notes = []
    for one in source.each("notes"):
        _, code, text = one.text.split("#", 2)
        notes.append({"content": text, "tag": TAGS[code]})
    return standard_document(source, notes)


RSM = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
CII_NAMES = {
    "rsm": RSM,
    "ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
    "udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
}
TRADE = "rsm:SupplyChainTradeTransaction"
AGREEMENT = f"{TRADE}/ram:ApplicableHeaderTradeAgreement"
SETTLEMENT = f"{TRADE}/ram:ApplicableHeaderTradeSettlement"
MEANS = f"{SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans"
SUMS = f"{SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation"
CONTEXT = "rsm:ExchangedDocumentContext"


def cii_party(role, at):
    return {
        f"{role}.name": f"{at}/ram:Name",
        f"{role}.trade": f"{at}/ram:SpecifiedLegalOrganization/ram:TradingBusinessName",
        f"{role}.legal": f"{at}/ram:SpecifiedLegalOrganization/ram:ID",
        f"{role}.siret": f"{at}/ram:GlobalID",
        f"{role}.vat": f"{at}/ram:SpecifiedTaxRegistration/ram:ID",
        f"{role}.endpoint": f"{at}/ram:URIUniversalCommunication/ram:URIID",
        f"{role}.street": f"{at}/ram:PostalTradeAddress/ram:LineOne",
        f"{role}.city": f"{at}/ram:PostalTradeAddress/ram:CityName",
        f"{role}.zone": f"{at}/ram:PostalTradeAddress/ram:PostcodeCode",
        f"{role}.contact": f"{at}/ram:DefinedTradeContact/ram:PersonName",
        f"{role}.phone": f"{at}/ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber",
        f"{role}.email": f"{at}/ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID",
    }


LINE = "ram:SpecifiedLineTradeSettlement"
CII_PATHS = {
    **cii_party("seller", f"{AGREEMENT}/ram:SellerTradeParty"),
    **cii_party("buyer", f"{AGREEMENT}/ram:BuyerTradeParty"),
    "number": "rsm:ExchangedDocument/ram:ID", "type": "rsm:ExchangedDocument/ram:TypeCode",
    "date": "rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString",
    "due": f"{SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString",
    "currency": f"{SETTLEMENT}/ram:InvoiceCurrencyCode", "taxcurrency": f"{SETTLEMENT}/ram:TaxCurrencyCode",
    "process": f"{CONTEXT}/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID",
    "specification": f"{CONTEXT}/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID",
    "buyerref": f"{AGREEMENT}/ram:BuyerReference",
    "means": f"{MEANS}/ram:TypeCode", "payment.reference": f"{SETTLEMENT}/ram:PaymentReference",
    "iban": f"{MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:IBANID",
    "holder": f"{MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:AccountName",
    "terms": f"{SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:Description",
    "notes": "rsm:ExchangedDocument/ram:IncludedNote",
    "tax.totals": f"{SUMS}/ram:TaxTotalAmount", "taxes": f"{SETTLEMENT}/ram:ApplicableTradeTax",
    "tax.base": "ram:BasisAmount", "tax.amount": "ram:CalculatedAmount", "tax.rate": "ram:RateApplicablePercent",
    "total.net": f"{SUMS}/ram:TaxBasisTotalAmount", "total.gross": f"{SUMS}/ram:GrandTotalAmount",
    "total.payable": f"{SUMS}/ram:DuePayableAmount",
    "lines": f"{TRADE}/ram:IncludedSupplyChainTradeLineItem",
    "line": "ram:AssociatedDocumentLineDocument/ram:LineID",
    "quantity": "ram:SpecifiedLineTradeDelivery/ram:BilledQuantity",
    "net": f"{LINE}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount",
    "start": f"{LINE}/ram:BillingSpecifiedPeriod/ram:StartDateTime/udt:DateTimeString",
    "end": f"{LINE}/ram:BillingSpecifiedPeriod/ram:EndDateTime/udt:DateTimeString",
    "item": "ram:SpecifiedTradeProduct/ram:Name", "article": "ram:SpecifiedTradeProduct/ram:SellerAssignedID",
    "rate": f"{LINE}/ram:ApplicableTradeTax/ram:RateApplicablePercent",
    "price": "ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount",
}


def compact(text):
    return date(int(text[:4]), int(text[4:6]), int(text[6:8])).isoformat()


def cii_document(element):
    source = Source(element, CII_PATHS, CII_NAMES, compact)
    notes = [
        {
            "content": one.findtext("ram:Content", "", CII_NAMES),
            "tag": TAGS[one.findtext("ram:SubjectCode", "", CII_NAMES)],
        }
        for one in source.each("notes")
    ]
    return standard_document(source, notes)


def trees(path, tag, document):
    """Every element of the name becomes a document, and is forgotten."""
    depth = 0
    with open(path, "rb") as opened:
        for event, element in iterparse(opened, events=("start", "end")):
            if event == "start":
                if depth == 0:
                    root = element
                depth += 1
                continue
            depth -= 1
            if element.tag == tag:
                yield document(element)
                root.clear()


def ubl_documents(path):
    return trees(path, "{%s}Invoice" % UBL_NAMES["u"], ubl_document)


def cii_documents(path):
    return trees(path, "{%s}CrossIndustryInvoice" % RSM, cii_document)
