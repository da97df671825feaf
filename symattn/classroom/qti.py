"""An exercise as a package of QTI 2.1: a zip with one item, which has a text entry for each blank.

The item: https://www.imsglobal.org/question/qtiv2p1/imsqti_infov2p1.html; the manifest: IMS Content Packaging
1.1 as that binding uses it.
"""

from __future__ import annotations

import io
import zipfile
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from symattn.classroom.exercise import Exercise
from symattn.classroom.fields import TOLERANCE, Field, fields, page_with

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
MATHML = "http://www.w3.org/1998/Math/MathML"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
ITEM = "item.xml"
_RENAMED = {"section": "div"}
"""What the HTML of pages has and that of items has not."""


def qti_package(exercise: Exercise) -> bytes:
    """The zip; equal exercises give equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, content in (("imsmanifest.xml", manifest(exercise)), (ITEM, item(exercise))):
            entry = zipfile.ZipInfo(name)  # dated 1980, as a seed has no date
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, content)
    return out.getvalue()


def _identifier(exercise: Exercise) -> str:
    """An XML name for the exercise."""
    return f"symattn-{exercise.level}-{exercise.seed}"


def manifest(exercise: Exercise) -> bytes:
    """The imsmanifest.xml of the package."""
    name = _identifier(exercise)
    root = Element("manifest", {"xmlns": PACKAGE, "identifier": f"{name}-package"})
    metadata = SubElement(root, "metadata")
    SubElement(metadata, "schema").text = "QTIv2.1 Package"
    SubElement(metadata, "schemaversion").text = "1.0.0"
    SubElement(root, "organizations")
    resources = SubElement(root, "resources")
    found = {"identifier": name, "type": "imsqti_item_xmlv2p1", "href": ITEM}
    SubElement(SubElement(resources, "resource", found), "file", {"href": ITEM})
    return _written(root)


def item(exercise: Exercise) -> bytes:
    """The assessmentItem: declarations, the sheet, and a point for each right number."""
    known = fields(exercise)
    root = Element(
        "assessmentItem",
        {
            "xmlns": QTI,
            "xmlns:m": MATHML,
            "xmlns:xsi": XSI,
            "xsi:schemaLocation": f"{QTI} {QTI}.xsd",
            "identifier": _identifier(exercise),
            "title": " ".join(filter(None, (exercise.case.title, exercise.student))),
            "adaptive": "false",
            "timeDependent": "false",
            "xml:lang": exercise.case.lang,
        },
    )
    for field in known:
        declared = {"identifier": _name(field), "cardinality": "single", "baseType": "float"}
        right = SubElement(SubElement(root, "responseDeclaration", declared), "correctResponse")
        SubElement(right, "value").text = field.answer
    for outcome, points in (("SCORE", 0), ("MAXSCORE", len(known))):
        declared = {"identifier": outcome, "cardinality": "single", "baseType": "float"}
        default = SubElement(SubElement(root, "outcomeDeclaration", declared), "defaultValue")
        SubElement(default, "value").text = str(points)
    body = fromstring(f"<itemBody>{page_with(exercise, _entry)}</itemBody>")
    _as_item(body)
    root.append(body)
    processing = SubElement(root, "responseProcessing")
    for field in known:
        processing.append(_point(field))
    return _written(root)


def _written(root: Element) -> bytes:
    content: bytes = tostring(root, encoding="UTF-8", xml_declaration=True)
    return content


def _name(field: Field) -> str:
    return f"R{field.number}"


def _entry(field: Field) -> str:
    return f'<textEntryInteraction responseIdentifier="{_name(field)}" expectedLength="{field.digits}"/>'


def _as_item(element: Element) -> None:
    """The HTML of a page as that of an item: no attributes but classes, MathML by its prefix."""
    for child in element:
        if child.tag == f"{{{MATHML}}}math":
            for part in child.iter():
                part.tag = f"m:{part.tag.rpartition('}')[2]}"
            continue
        child.tag = _RENAMED.get(child.tag, child.tag)
        if child.tag != "textEntryInteraction":
            for name in set(child.attrib) - {"class"}:
                del child.attrib[name]
        _as_item(child)


def _point(field: Field) -> Element:
    """One more point where the number is right within the tolerance."""
    condition = Element("responseCondition")
    case = SubElement(condition, "responseIf")
    within = {"toleranceMode": "absolute", "tolerance": f"{TOLERANCE} {TOLERANCE}"}
    equal = SubElement(case, "equal", within)
    SubElement(equal, "variable", {"identifier": _name(field)})
    SubElement(equal, "correct", {"identifier": _name(field)})
    score = SubElement(SubElement(case, "setOutcomeValue", {"identifier": "SCORE"}), "sum")
    SubElement(score, "variable", {"identifier": "SCORE"})
    SubElement(score, "baseValue", {"baseType": "float"}).text = "1"
    return condition
