"""Salvadoran remission notes, with a placeholder for the number that the ledger gives them."""
import csv
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from french import cents, number

PLACEHOLDER = "\0number\0"
PLACE = Decimal("0.00000001")
COMPANY = {
    "codPuntoVentaMH": "P001", "codPuntoVenta": "1", "nit": "06140101171017", "nrc": "9990011",
    "nombre": "Telares La Ceiba Azul, S.A. de C.V.", "codActividad": "13120",
    "descActividad": "Tejedura de productos textiles",
}
ESTABLISHMENTS = {
    "SS01": {
        **COMPANY, "tipoEstablecimiento": "02", "nombreComercial": "Telares La Ceiba Azul", "codEstableMH": "M001",
        "codEstable": "SS01", "telefono": "2999-0000", "correo": "despacho@ceiba-azul.example",
        "direccion": {"departamento": "06", "municipio": "23", "complemento": "Calle Ficticia 14, Colonia El Ejemplo"},
    },
    "SA02": {
        **COMPANY, "tipoEstablecimiento": "01", "nombreComercial": "Telares La Ceiba Azul, Sucursal Occidente",
        "codEstableMH": "S002", "codEstable": "SA02", "telefono": "2999-0002", "correo": "occidente@ceiba-azul.example",
        "direccion": {"departamento": "02", "municipio": "15", "complemento": "Avenida Inventada 3, bodega 2"},
    },
}
UNITS = {"UND": 59, "MT": 1, "YD": 2, "LB": 36, "KG": 34, "LT": 23, "DOC": 58, "CJ": 99}
TYPES = {"NIT": "36", "DUI": "13", "PAS": "03"}
ONES = (
    "CERO UNO DOS TRES CUATRO CINCO SEIS SIETE OCHO NUEVE DIEZ ONCE DOCE TRECE CATORCE QUINCE DIECISÉIS DIECISIETE"
    " DIECIOCHO DIECINUEVE VEINTE VEINTIUNO VEINTIDÓS VEINTITRÉS VEINTICUATRO VEINTICINCO VEINTISÉIS VEINTISIETE"
    " VEINTIOCHO VEINTINUEVE"
).split()
TENS = "- - - TREINTA CUARENTA CINCUENTA SESENTA SETENTA OCHENTA NOVENTA".split()
HUNDREDS = (
    "- CIENTO DOSCIENTOS TRESCIENTOS CUATROCIENTOS QUINIENTOS SEISCIENTOS SETECIENTOS OCHOCIENTOS NOVECIENTOS"
).split()


def words(value):
    if value < 30:
        return ONES[value]
    if value < 100:
        rest = value % 10
        return TENS[value // 10] + (f" Y {ONES[rest]}" if rest else "")
    if value == 100:
        return "CIEN"
    if value < 1000:
        return (HUNDREDS[value // 100] + (f" {words(value % 100)}" if value % 100 else "")).strip()
    thousands = "MIL" if value < 2000 else f"{shortened(words(value // 1000))} MIL"
    return thousands + (f" {words(value % 1000)}" if value % 1000 else "")


def shortened(text):
    """Before a noun, one is un."""
    if text.endswith("VEINTIUNO"):
        return f"{text[:-3]}ÚN"
    return text[:-1] if text.endswith("UNO") else text


def in_letters(amount):
    whole = int(amount)
    unit = "DÓLAR" if whole == 1 else "DÓLARES"
    return f"{shortened(words(whole))} {int((amount - whole) * 100):02d}/100 {unit} DE LOS ESTADOS UNIDOS DE AMÉRICA"


def digits(text):
    return "".join(character for character in text if character.isdigit())


def note(rows):
    first = rows[0]
    tax_payer = first["TipoDoc"] == "NIT"
    receiver = {
        "tipoDocumento": TYPES[first["TipoDoc"]],
        "numDocumento": digits(first["NumDoc"]) if tax_payer else first["NumDoc"],
        "bienTitulo": first["BienTitulo"], "nombre": first["Receptor"], "codActividad": first["CodActividad"],
        "descActividad": first["Actividad"], "correo": first["Correo"],
        "direccion": {
            "departamento": first["Depto"], "municipio": first["Municipio"], "complemento": first["Direccion"],
        },
    }
    if tax_payer:
        receiver["nrc"] = digits(first["Nrc"])
    body, sums, discounts = [], {"S": Decimal(0), "N": Decimal(0)}, Decimal(0)
    for row in rows:
        discount = number(row["Descuento"] or "0")
        quantity, price = number(row["Cantidad"]), number(row["Precio"])
        amount = (quantity * price - discount).quantize(PLACE, rounding=ROUND_HALF_UP).normalize()
        sums[row["Gravado"]] += amount
        discounts += discount
        line = {
            "numItem": number(row["Linea"]), "codigo": row["Codigo"], "tipoItem": 1, "descripcion": row["Descripcion"],
            "cantidad": quantity, "uniMedida": UNITS[row["Unidad"]], "precioUni": price, "montoDescu": discount,
            "ventaNoSuj": 0, "ventaExenta": 0, "ventaGravada": 0,
        }
        if row["Gravado"] == "S":
            line.update(ventaGravada=amount, tributos=["20"])
        else:
            line["ventaExenta"] = amount
        body.append(line)
    taxed, exempt = cents(sums["S"]), cents(sums["N"])
    total = taxed + exempt
    if total != number(first["Total"].replace(",", "")):
        raise ValueError(first["Nota"])
    return {
        "emisor": ESTABLISHMENTS[first["Establecimiento"]],
        "receptor": receiver,
        "cuerpoDocumento": body,
        "resumen": {
            "porcentajeDescuento": 0, "totalNoSuj": 0, "totalExenta": exempt, "totalGravada": taxed,
            "subTotalVentas": total, "descuNoSuj": 0, "descuExenta": 0, "descuGravada": 0, "totalDescu": discounts,
            "subTotal": total, "montoTotalOperacion": total, "totalLetras": in_letters(total),
        },
        "extension": {},
        "FechaGeneracion": datetime.fromisoformat(first["FechaHora"]).isoformat(),
        "NumeroSecuencial": PLACEHOLDER,
        "tipoMoneda": "USD",
        "Adjuntos": [],
    }


def remission_documents(path):
    with open(path, encoding="utf-8", newline="") as source:
        rows = []
        for row in csv.DictReader(source, strict=True):
            if rows and rows[0]["Nota"] != row["Nota"]:
                yield note(rows)
                rows = []
            rows.append(row)
        if rows:
            yield note(rows)
