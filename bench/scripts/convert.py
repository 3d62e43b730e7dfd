"""Exports to documents with the standard library of Python: a format, a folder of exports and a file for documents.

Prints its figures as one line of JSON.
"""
import json
import os
import resource
import sys
import time
from decimal import Decimal

from remission import remission_documents
from rows import csv_documents, fixed_documents, workbook_documents
from trees import cii_documents, ubl_documents, xml_documents

DOCUMENTS = {
    "csv": csv_documents, "xml": xml_documents, "ubl": ubl_documents, "cii": cii_documents, "fixed": fixed_documents,
    "workbook": workbook_documents, "remission": remission_documents,
}


def plain(value):
    """Fifteen digits and fewer are the same number as a float, and the encoder writes those quickest."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(value)


def main(form, folder, target):
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=plain).encode
    documents = DOCUMENTS[form.split("-")[0]]
    count = 0
    with open(target, "w", encoding="utf-8") as made:
        for name in sorted(os.listdir(folder)):
            for document in documents(os.path.join(folder, name)):
                made.write(encode(document))
                made.write("\n")
                count += 1
    return count


if __name__ == "__main__":
    start = time.perf_counter()
    total = main(*sys.argv[1:4])
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "seconds": seconds,
        "cpuSeconds": used.ru_utime + used.ru_stime,
        "peakMb": used.ru_maxrss / 1024,
        "documents": total,
    }))
