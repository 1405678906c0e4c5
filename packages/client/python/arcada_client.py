"""Client of Arcada's open interface 1.0.0. Made from the contract; do not edit.

    arcada = Arcada("https://arcada.example", "arcada_...")
    for order in arcada.order_list({"pageSize": 10})["list"]:
        print(order["number"], order["state"])
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Literal, NotRequired, TypedDict, Union

API_VERSION = "1.0.0"


AgentFetchRequest = TypedDict(
    "AgentFetchRequest",
    {
        "id": "str",
    },
)

AgentFetchResult = TypedDict(
    "AgentFetchResult",
    {
        "url": "str",
        "files": "int",
        "bytes": "float",
    },
)

AgentOrdersRequest = TypedDict(
    "AgentOrdersRequest",
    {
        "known": "NotRequired[list[str]]",
    },
)

AgentOrdersResult = TypedDict(
    "AgentOrdersResult",
    {
        "wanted": "list[dict[str, Any]]",
        "known": "list[dict[str, Any]]",
    },
)

AgentProgramResult = TypedDict(
    "AgentProgramResult",
    {
        "package": "Union[dict[str, Any], None]",
    },
)

AgentReportRequest = TypedDict(
    "AgentReportRequest",
    {
        "version": "str",
        "delivered": "int",
        "designs": "int",
        "waiting": "int",
        "problem": "Union[Literal[\"folderUnusable\", \"diskFull\", \"downloadBroken\", \"designRefused\", \"designLate\", \"caseMissing\", \"orderCancelled\", \"orderChanged\"], None]",
        "numbers": "NotRequired[list[str]]",
    },
)

AgentReportResult = TypedDict(
    "AgentReportResult",
    {
        "key": "str",
        "laboratory": "str",
    },
)

AgentSubmitRequest = TypedDict(
    "AgentSubmitRequest",
    {
        "id": "str",
        "files": "list[dict[str, Any]]",
    },
)

AgentSubmitResult = TypedDict(
    "AgentSubmitResult",
    {
        "revision": "int",
        "isNew": "bool",
    },
)

Annotation = TypedDict(
    "Annotation",
    {
        "id": "str",
        "tool": "Literal[\"length\", \"angle\", \"cobb\", \"ratio\", \"path\", \"arrow\", \"text\", \"tooth\", \"calibration\", \"profile\", \"ellipse\", \"rectangle\", \"arch\", \"canal\", \"sinus\", \"implant\", \"root\", \"airway\", \"scene\", \"surface\", \"thickness\", \"pin\", \"registration\", \"orientation\"]",
        "instanceId": "Union[str, None]",
        "points": "list[list[float]]",
        "plane": "Union[Literal[\"axial\", \"coronal\", \"sagittal\", \"panorama\", \"section\", \"volume\"], None]",
        "text": "Union[str, None]",
        "settings": "NotRequired[dict[str, Any]]",
    },
)

DesignFault = TypedDict(
    "DesignFault",
    {
        "item": "int",
        "kinds": "list[Literal[\"margin\", \"contact\", \"occlusion\", \"shape\", \"shade\"]]",
    },
)

DesignFaultInput = TypedDict(
    "DesignFaultInput",
    {
        "item": "int",
        "kinds": "list[Literal[\"margin\", \"contact\", \"occlusion\", \"shape\", \"shade\"]]",
    },
)

DetectedArch = TypedDict(
    "DetectedArch",
    {
        "upper": "list[list[float]]",
        "lower": "list[list[float]]",
        "up": "list[float]",
        "edges": "NotRequired[list[Literal[\"rightRamus\", \"leftRamus\", \"rightCondyle\", \"leftCondyle\", \"chin\"]]]",
    },
)

GreyWindow = TypedDict(
    "GreyWindow",
    {
        "center": "float",
        "width": "float",
        "shape": "NotRequired[Literal[\"linearExact\", \"sigmoid\", \"table\"]]",
        "table": "NotRequired[str]",
    },
)

ImageInstance = TypedDict(
    "ImageInstance",
    {
        "id": "str",
        "name": "str",
        "alsoNamed": "list[str]",
        "bytes": "int",
        "sha256": "str",
        "originalUrl": "Union[str, None]",
        "thumbnailUrl": "Union[str, None]",
        "fault": "Union[str, None]",
        "picture": "Union[dict[str, Any], None]",
        "video": "Union[dict[str, Any], None]",
        "document": "Union[dict[str, Any], None]",
        "model": "Union[dict[str, Any], None]",
    },
)

ImageSeries = TypedDict(
    "ImageSeries",
    {
        "id": "str",
        "kind": "Literal[\"volume\", \"pictures\", \"models\"]",
        "modality": "Union[str, None]",
        "description": "Union[str, None]",
        "count": "int",
        "thumbnailUrl": "Union[str, None]",
        "problems": "list[dict[str, Any]]",
        "instances": "list[ImageInstance]",
        "volume": "Union[dict[str, Any], None]",
    },
)

IngestJob = TypedDict(
    "IngestJob",
    {
        "id": "str",
        "patientId": "Union[str, None]",
        "state": "Literal[\"waiting\", \"running\", \"done\", \"failed\", \"cancelled\"]",
        "progress": "float",
        "stage": "Literal[\"receiving\", \"unpacking\", \"reading\", \"storing\", \"converting\", \"done\"]",
        "studies": "list[str]",
        "refused": "list[RefusedFile]",
        "added": "int",
        "known": "int",
        "knownFiles": "list[dict[str, Any]]",
        "questions": "list[str]",
        "refusal": "Union[str, None]",
    },
)

Institution = TypedDict(
    "Institution",
    {
        "id": "str",
        "name": "str",
        "number": "str",
        "type": "Literal[\"clinic\", \"lab\"]",
        "country": "str",
        "address": "Union[str, None]",
        "contactPerson": "Union[str, None]",
        "contactWay": "Union[str, None]",
        "longitude": "Union[float, None]",
        "latitude": "Union[float, None]",
        "hidePatientNames": "bool",
        "autoAcceptRelations": "bool",
        "sharePhones": "bool",
        "requireFactor": "bool",
        "launchCreatesPatients": "bool",
        "receiptDays": "Union[int, None]",
        "retentionYears": "Union[int, None]",
        "timeZone": "str",
        "reportLogo": "dict[str, Any]",
    },
)

LaunchCodeRequest = TypedDict(
    "LaunchCodeRequest",
    {
        "user": "str",
    },
)

LaunchCodeResult = TypedDict(
    "LaunchCodeResult",
    {
        "code": "str",
        "expiresIn": "int",
    },
)

MessageInputInput = TypedDict(
    "MessageInputInput",
    {
        "id": "str",
        "text": "NotRequired[str]",
        "files": "NotRequired[list[str]]",
        "mentions": "NotRequired[list[str]]",
    },
)

Order = TypedDict(
    "Order",
    {
        "id": "str",
        "number": "str",
        "state": "Literal[\"draft\", \"awaiting_sending\", \"pending\", \"awaiting_scheme\", \"awaiting_design\", \"awaiting_dispatch\", \"awaiting_receipt\", \"forwarded\", \"completed\", \"cancelled\", \"refused\"]",
        "turn": "Literal[\"sender\", \"receiver\", \"nobody\"]",
        "step": "Literal[\"preparing\", \"submitted\", \"returned\", \"production\", \"uploading\", \"send_failed\"]",
        "holder": "Literal[\"sender\", \"receiver\"]",
        "schemeRevision": "int",
        "designRevision": "int",
        "caseType": "Literal[\"restoration\", \"implant\", \"orthodontics\", \"other\"]",
        "patientName": "str",
        "patientNumber": "str",
        "teeth": "list[int]",
        "work": "list[dict[str, Any]]",
        "sender": "dict[str, Any]",
        "receiver": "Union[dict[str, Any], None]",
        "creatorName": "str",
        "responsibleName": "str",
        "assigneeName": "Union[str, None]",
        "assigneeId": "Union[str, None]",
        "dueDate": "Union[str, None]",
        "promisedDate": "Union[str, None]",
        "createdAt": "str",
        "updatedAt": "str",
        "mine": "Literal[\"sender\", \"receiver\"]",
        "myTurn": "bool",
        "unread": "int",
        "version": "int",
        "responsibleId": "Union[str, None]",
        "contacts": "dict[str, Any]",
        "patientId": "Union[str, None]",
        "prescription": "dict[str, Any]",
        "rxRevision": "int",
        "files": "list[OrderFile]",
        "revisions": "list[OrderRevision]",
        "events": "list[OrderEvent]",
        "messages": "list[OrderMessage]",
        "readings": "list[OrderReading]",
        "shipment": "Union[dict[str, Any], None]",
        "infoRequest": "Union[str, None]",
        "cancelRequest": "Union[str, None]",
        "proposal": "Union[dict[str, Any], None]",
        "family": "RelatedOrders",
        "missing": "list[str]",
        "actions": "list[Literal[\"create\", \"edit\", \"delete\", \"submit\", \"handOver\", \"transferFailed\", \"recall\", \"cancel\", \"requestInfo\", \"supplyInfo\", \"accept\", \"refuse\", \"submitScheme\", \"confirmScheme\", \"returnScheme\", \"submitDesign\", \"confirmDesign\", \"confirmDelivery\", \"returnDesign\", \"withdraw\", \"backToScheme\", \"backToDesign\", \"dispatch\", \"correctShipment\", \"recallDispatch\", \"confirmReceipt\", \"redeliver\", \"autoComplete\", \"requestCancel\", \"decideCancel\", \"cancelByReceiver\", \"prepareForward\", \"forward\", \"dropForward\", \"childFailed\", \"childDelivered\", \"proposeChange\", \"decideChange\", \"assign\"]]",
        "mayChat": "bool",
        "mayShare": "bool",
        "labShares": "Union[bool, None]",
        "nameHidden": "bool",
    },
)

OrderContact = TypedDict(
    "OrderContact",
    {
        "person": "Union[str, None]",
        "phone": "Union[str, None]",
        "contactPerson": "Union[str, None]",
        "contactWay": "Union[str, None]",
        "address": "Union[str, None]",
    },
)

OrderCopyRequest = TypedDict(
    "OrderCopyRequest",
    {
        "id": "str",
    },
)

OrderCountsResult = TypedDict(
    "OrderCountsResult",
    {
        "all": "int",
        "myTurn": "int",
        "states": "dict[str, Any]",
    },
)

OrderDownloadRequest = TypedDict(
    "OrderDownloadRequest",
    {
        "id": "str",
        "files": "NotRequired[list[str]]",
        "layout": "NotRequired[Literal[\"folders\", \"exocad\", \"threeShape\"]]",
    },
)

OrderDownloadResult = TypedDict(
    "OrderDownloadResult",
    {
        "url": "str",
        "files": "int",
        "bytes": "float",
    },
)

OrderEvent = TypedDict(
    "OrderEvent",
    {
        "id": "str",
        "time": "str",
        "action": "str",
        "from": "Union[str, None]",
        "to": "str",
        "who": "str",
        "side": "Literal[\"sender\", \"receiver\", \"system\"]",
        "text": "Union[str, None]",
        "revision": "Union[int, None]",
        "changed": "NotRequired[list[str]]",
        "code": "NotRequired[str]",
        "faults": "NotRequired[list[DesignFault]]",
    },
)

OrderFile = TypedDict(
    "OrderFile",
    {
        "id": "str",
        "role": "Literal[\"upperScan\", \"lowerScan\", \"bite\", \"image\", \"ct\", \"document\", \"scheme\", \"design\", \"answer\", \"photo\", \"message\"]",
        "name": "str",
        "bytes": "int",
        "sha256": "str",
        "studyId": "Union[str, None]",
        "studyKind": "Union[str, None]",
        "revisionId": "Union[str, None]",
        "messageId": "Union[str, None]",
        "url": "Union[str, None]",
        "glb": "Union[StreamingCopy, None]",
        "thumbnailUrl": "Union[str, None]",
        "pictureUrl": "Union[str, None]",
    },
)

OrderItem = TypedDict(
    "OrderItem",
    {
        "teeth": "list[int]",
        "kind": "Literal[\"inlay\", \"onlay\", \"veneer\", \"crown\", \"bridge\", \"pontic\", \"postCore\", \"customAbutment\", \"bar\", \"surgicalGuide\", \"other\"]",
        "material": "Union[Literal[\"resin\", \"titanium\", \"zirconia\", \"layeredZirconia\", \"pressCeramic\", \"glassCeramic\", \"pmma\", \"metalCeramic\", \"cobaltChrome\", \"preciousMetal\"], None]",
        "shade": "Union[Literal[\"A1\", \"A2\", \"A3\", \"A3.5\", \"A4\", \"B1\", \"B2\", \"B3\", \"B4\", \"C1\", \"C2\", \"C3\", \"C4\", \"D2\", \"D3\", \"D4\", \"0M1\", \"0M2\", \"0M3\", \"1M1\", \"1M2\", \"2L1.5\", \"2L2.5\", \"2M1\", \"2M2\", \"2M3\", \"2R1.5\", \"2R2.5\", \"3L1.5\", \"3L2.5\", \"3M1\", \"3M2\", \"3M3\", \"3R1.5\", \"3R2.5\", \"4L1.5\", \"4L2.5\", \"4M1\", \"4M2\", \"4M3\", \"4R1.5\", \"4R2.5\", \"5M1\", \"5M2\", \"5M3\"], None]",
        "stumpShade": "Union[Literal[\"ND1\", \"ND2\", \"ND3\", \"ND4\", \"ND5\", \"ND6\", \"ND7\", \"ND8\", \"ND9\", \"A1\", \"A2\", \"A3\", \"A3.5\", \"A4\", \"B1\", \"B2\", \"B3\", \"B4\", \"C1\", \"C2\", \"C3\", \"C4\", \"D2\", \"D3\", \"D4\", \"0M1\", \"0M2\", \"0M3\", \"1M1\", \"1M2\", \"2L1.5\", \"2L2.5\", \"2M1\", \"2M2\", \"2M3\", \"2R1.5\", \"2R2.5\", \"3L1.5\", \"3L2.5\", \"3M1\", \"3M2\", \"3M3\", \"3R1.5\", \"3R2.5\", \"4L1.5\", \"4L2.5\", \"4M1\", \"4M2\", \"4M3\", \"4R1.5\", \"4R2.5\", \"5M1\", \"5M2\", \"5M3\"], None]",
        "pontics": "list[int]",
        "remark": "Union[str, None]",
    },
)

OrderItemInput = TypedDict(
    "OrderItemInput",
    {
        "teeth": "list[int]",
        "kind": "Literal[\"inlay\", \"onlay\", \"veneer\", \"crown\", \"bridge\", \"pontic\", \"postCore\", \"customAbutment\", \"bar\", \"surgicalGuide\", \"other\"]",
        "material": "Union[Literal[\"resin\", \"titanium\", \"zirconia\", \"layeredZirconia\", \"pressCeramic\", \"glassCeramic\", \"pmma\", \"metalCeramic\", \"cobaltChrome\", \"preciousMetal\"], None]",
        "shade": "Union[Literal[\"A1\", \"A2\", \"A3\", \"A3.5\", \"A4\", \"B1\", \"B2\", \"B3\", \"B4\", \"C1\", \"C2\", \"C3\", \"C4\", \"D2\", \"D3\", \"D4\", \"0M1\", \"0M2\", \"0M3\", \"1M1\", \"1M2\", \"2L1.5\", \"2L2.5\", \"2M1\", \"2M2\", \"2M3\", \"2R1.5\", \"2R2.5\", \"3L1.5\", \"3L2.5\", \"3M1\", \"3M2\", \"3M3\", \"3R1.5\", \"3R2.5\", \"4L1.5\", \"4L2.5\", \"4M1\", \"4M2\", \"4M3\", \"4R1.5\", \"4R2.5\", \"5M1\", \"5M2\", \"5M3\"], None]",
        "stumpShade": "NotRequired[Union[Literal[\"ND1\", \"ND2\", \"ND3\", \"ND4\", \"ND5\", \"ND6\", \"ND7\", \"ND8\", \"ND9\", \"A1\", \"A2\", \"A3\", \"A3.5\", \"A4\", \"B1\", \"B2\", \"B3\", \"B4\", \"C1\", \"C2\", \"C3\", \"C4\", \"D2\", \"D3\", \"D4\", \"0M1\", \"0M2\", \"0M3\", \"1M1\", \"1M2\", \"2L1.5\", \"2L2.5\", \"2M1\", \"2M2\", \"2M3\", \"2R1.5\", \"2R2.5\", \"3L1.5\", \"3L2.5\", \"3M1\", \"3M2\", \"3M3\", \"3R1.5\", \"3R2.5\", \"4L1.5\", \"4L2.5\", \"4M1\", \"4M2\", \"4M3\", \"4R1.5\", \"4R2.5\", \"5M1\", \"5M2\", \"5M3\"], None]]",
        "pontics": "NotRequired[list[int]]",
        "remark": "NotRequired[Union[str, None]]",
    },
)

OrderListResult = TypedDict(
    "OrderListResult",
    {
        "list": "list[OrderRow]",
        "total": "int",
        "next": "Union[str, None]",
    },
)

OrderMessage = TypedDict(
    "OrderMessage",
    {
        "id": "str",
        "time": "str",
        "who": "str",
        "mine": "bool",
        "text": "str",
        "mentions": "list[str]",
    },
)

OrderOpenRevisionRequest = TypedDict(
    "OrderOpenRevisionRequest",
    {
        "id": "str",
        "revision": "str",
    },
)

OrderPin = TypedDict(
    "OrderPin",
    {
        "id": "str",
        "time": "str",
        "who": "str",
        "mine": "bool",
        "text": "str",
        "number": "int",
        "fileId": "str",
        "sha256": "str",
        "point": "list[Any]",
        "replies": "list[dict[str, Any]]",
        "settled": "Union[dict[str, Any], None]",
        "mayRemove": "bool",
    },
)

OrderPinsResult = TypedDict(
    "OrderPinsResult",
    {
        "list": "list[OrderPin]",
        "mayWrite": "bool",
    },
)

OrderPrescriptionResult = TypedDict(
    "OrderPrescriptionResult",
    {
        "url": "str",
    },
)

OrderReading = TypedDict(
    "OrderReading",
    {
        "who": "str",
        "mine": "bool",
        "self": "bool",
        "upTo": "str",
        "at": "str",
    },
)

OrderRemakeRequest = TypedDict(
    "OrderRemakeRequest",
    {
        "id": "str",
        "class": "Literal[\"lab\", \"clinic\", \"material\", \"patient\"]",
        "bears": "Literal[\"open\", \"lab\", \"clinic\", \"shared\"]",
    },
)

OrderRevision = TypedDict(
    "OrderRevision",
    {
        "id": "str",
        "kind": "Literal[\"scheme\", \"design\"]",
        "number": "int",
        "hash": "str",
        "text": "Union[str, None]",
        "state": "Literal[\"submitted\", \"confirmed\", \"returned\", \"withdrawn\", \"voided\"]",
        "time": "str",
        "who": "str",
        "decided": "Union[dict[str, Any], None]",
        "seen": "bool",
    },
)

OrderRow = TypedDict(
    "OrderRow",
    {
        "id": "str",
        "number": "str",
        "state": "Literal[\"draft\", \"awaiting_sending\", \"pending\", \"awaiting_scheme\", \"awaiting_design\", \"awaiting_dispatch\", \"awaiting_receipt\", \"forwarded\", \"completed\", \"cancelled\", \"refused\"]",
        "turn": "Literal[\"sender\", \"receiver\", \"nobody\"]",
        "step": "Literal[\"preparing\", \"submitted\", \"returned\", \"production\", \"uploading\", \"send_failed\"]",
        "holder": "Literal[\"sender\", \"receiver\"]",
        "schemeRevision": "int",
        "designRevision": "int",
        "caseType": "Literal[\"restoration\", \"implant\", \"orthodontics\", \"other\"]",
        "patientName": "str",
        "patientNumber": "str",
        "teeth": "list[int]",
        "work": "list[dict[str, Any]]",
        "sender": "dict[str, Any]",
        "receiver": "Union[dict[str, Any], None]",
        "creatorName": "str",
        "responsibleName": "str",
        "assigneeName": "Union[str, None]",
        "assigneeId": "Union[str, None]",
        "dueDate": "Union[str, None]",
        "promisedDate": "Union[str, None]",
        "createdAt": "str",
        "updatedAt": "str",
        "mine": "Literal[\"sender\", \"receiver\"]",
        "myTurn": "bool",
        "unread": "int",
        "version": "int",
    },
)

OrderRxResult = TypedDict(
    "OrderRxResult",
    {
        "list": "list[RxRevision]",
    },
)

OrderSaveChildRequest = TypedDict(
    "OrderSaveChildRequest",
    {
        "id": "str",
        "version": "int",
        "prescription": "RxChangeInput",
        "send": "NotRequired[bool]",
    },
)

OrderSaveRequest = TypedDict(
    "OrderSaveRequest",
    {
        "patientId": "str",
        "caseType": "Literal[\"restoration\", \"implant\", \"orthodontics\", \"other\"]",
        "items": "list[OrderItemInput]",
        "workKinds": "list[Literal[\"design\", \"machining\"]]",
        "jaws": "NotRequired[list[Literal[\"maxilla\", \"mandible\"]]]",
        "implantSystem": "NotRequired[Union[str, None]]",
        "fixType": "NotRequired[Union[Literal[\"screw\", \"cement\"], None]]",
        "torque": "NotRequired[Union[int, None]]",
        "gingiva": "NotRequired[Union[Literal[\"scanned\", \"byLab\", \"none\"], None]]",
        "antagonist": "NotRequired[Union[Literal[\"natural\", \"restored\", \"implant\", \"denture\", \"none\"], None]]",
        "sourceOrder": "NotRequired[Union[str, None]]",
        "instructions": "NotRequired[Union[str, None]]",
        "schemeRequired": "NotRequired[bool]",
        "targetIid": "Union[str, None]",
        "dueDate": "Union[str, None]",
        "maskName": "NotRequired[bool]",
        "mayForward": "NotRequired[Union[bool, None]]",
        "namePasses": "NotRequired[bool]",
        "labShares": "NotRequired[bool]",
        "noDigitalFiles": "NotRequired[bool]",
        "studies": "NotRequired[list[str]]",
        "uploads": "NotRequired[list[dict[str, Any]]]",
        "id": "NotRequired[str]",
        "version": "NotRequired[int]",
        "responsibleId": "NotRequired[str]",
        "send": "NotRequired[bool]",
    },
)

OrderStepRequest = TypedDict(
    "OrderStepRequest",
    {
        "id": "str",
        "action": "Literal[\"create\", \"edit\", \"delete\", \"submit\", \"handOver\", \"transferFailed\", \"recall\", \"cancel\", \"requestInfo\", \"supplyInfo\", \"accept\", \"refuse\", \"submitScheme\", \"confirmScheme\", \"returnScheme\", \"submitDesign\", \"confirmDesign\", \"confirmDelivery\", \"returnDesign\", \"withdraw\", \"backToScheme\", \"backToDesign\", \"dispatch\", \"correctShipment\", \"recallDispatch\", \"confirmReceipt\", \"redeliver\", \"autoComplete\", \"requestCancel\", \"decideCancel\", \"cancelByReceiver\", \"prepareForward\", \"forward\", \"dropForward\", \"childFailed\", \"childDelivered\", \"proposeChange\", \"decideChange\", \"assign\"]",
        "version": "int",
        "reason": "NotRequired[str]",
        "text": "NotRequired[str]",
        "files": "NotRequired[list[dict[str, Any]]]",
        "revisionHash": "NotRequired[str]",
        "carrier": "NotRequired[str]",
        "trackingNumber": "NotRequired[str]",
        "handDelivery": "NotRequired[bool]",
        "promisedDate": "NotRequired[str]",
        "assigneeId": "NotRequired[str]",
        "targetIid": "NotRequired[str]",
        "approve": "NotRequired[bool]",
        "prescription": "NotRequired[RxChangeInput]",
        "reasonCode": "NotRequired[Literal[\"patient\", \"duplicate\", \"mistake\", \"otherLab\", \"other\", \"capacity\", \"files\", \"scope\", \"terms\"]]",
        "faults": "NotRequired[list[DesignFaultInput]]",
        "straight": "NotRequired[bool]",
        "showName": "NotRequired[bool]",
        "delivered": "NotRequired[bool]",
    },
)

OrderStepResult = Union["Order", None]

PartnerInstitution = TypedDict(
    "PartnerInstitution",
    {
        "id": "str",
        "name": "str",
        "number": "str",
        "type": "Literal[\"clinic\", \"lab\"]",
        "country": "str",
        "address": "Union[str, None]",
        "contactPerson": "Union[str, None]",
        "contactWay": "Union[str, None]",
        "longitude": "Union[float, None]",
        "latitude": "Union[float, None]",
    },
)

Patient = TypedDict(
    "Patient",
    {
        "id": "str",
        "number": "str",
        "name": "str",
        "sex": "Literal[\"male\", \"female\", \"other\"]",
        "birthDate": "Union[str, None]",
        "age": "Union[int, None]",
        "phone": "Union[str, None]",
        "entryNumber": "Union[str, None]",
        "createdAt": "str",
        "recentVisitAt": "Union[str, None]",
        "studies": "int",
        "orders": "int",
        "fixedLine": "Union[str, None]",
        "email": "Union[str, None]",
        "mailAddress": "Union[str, None]",
        "idNumber": "Union[str, None]",
        "passport": "Union[str, None]",
        "drivingLicence": "Union[str, None]",
        "insuranceNumber": "Union[str, None]",
        "certificateNumber": "Union[str, None]",
        "inspectionNumber": "Union[str, None]",
        "inspectedAt": "Union[str, None]",
        "allergies": "Union[str, None]",
        "pastHistory": "Union[str, None]",
        "diabetes": "Union[bool, None]",
        "hypertension": "Union[bool, None]",
        "familyGenetics": "Union[str, None]",
        "habits": "list[Literal[\"smoking\", \"mouthBreathing\", \"nightGrinding\", \"biting\", \"sugar\"]]",
        "remark": "Union[str, None]",
        "createdBy": "str",
        "version": "int",
    },
)

PatientCreateRequest = TypedDict(
    "PatientCreateRequest",
    {
        "phone": "NotRequired[Union[str, None]]",
        "fixedLine": "NotRequired[Union[str, None]]",
        "email": "NotRequired[Union[Union[Literal[\"\"], str], None]]",
        "mailAddress": "NotRequired[Union[str, None]]",
        "idNumber": "NotRequired[Union[str, None]]",
        "passport": "NotRequired[Union[str, None]]",
        "drivingLicence": "NotRequired[Union[str, None]]",
        "insuranceNumber": "NotRequired[Union[str, None]]",
        "certificateNumber": "NotRequired[Union[str, None]]",
        "entryNumber": "NotRequired[Union[str, None]]",
        "inspectionNumber": "NotRequired[Union[str, None]]",
        "inspectedAt": "NotRequired[Union[str, None]]",
        "allergies": "NotRequired[Union[str, None]]",
        "pastHistory": "NotRequired[Union[str, None]]",
        "diabetes": "NotRequired[Union[bool, None]]",
        "hypertension": "NotRequired[Union[bool, None]]",
        "familyGenetics": "NotRequired[Union[str, None]]",
        "habits": "NotRequired[list[Literal[\"smoking\", \"mouthBreathing\", \"nightGrinding\", \"biting\", \"sugar\"]]]",
        "remark": "NotRequired[Union[str, None]]",
        "name": "str",
        "sex": "Literal[\"male\", \"female\", \"other\"]",
        "birthDate": "NotRequired[Union[str, None]]",
        "age": "NotRequired[Union[int, None]]",
        "evenIfDuplicate": "NotRequired[bool]",
    },
)

PatientListResult = TypedDict(
    "PatientListResult",
    {
        "list": "list[PatientRow]",
        "total": "int",
        "next": "Union[str, None]",
    },
)

PatientRow = TypedDict(
    "PatientRow",
    {
        "id": "str",
        "number": "str",
        "name": "str",
        "sex": "Literal[\"male\", \"female\", \"other\"]",
        "birthDate": "Union[str, None]",
        "age": "Union[int, None]",
        "phone": "Union[str, None]",
        "entryNumber": "Union[str, None]",
        "createdAt": "str",
        "recentVisitAt": "Union[str, None]",
        "studies": "int",
        "orders": "int",
    },
)

PatientTimelineResult = TypedDict(
    "PatientTimelineResult",
    {
        "list": "list[dict[str, Any]]",
        "next": "Union[str, None]",
    },
)

PatientUpdateRequest = TypedDict(
    "PatientUpdateRequest",
    {
        "phone": "NotRequired[Union[str, None]]",
        "fixedLine": "NotRequired[Union[str, None]]",
        "email": "NotRequired[Union[Union[Literal[\"\"], str], None]]",
        "mailAddress": "NotRequired[Union[str, None]]",
        "idNumber": "NotRequired[Union[str, None]]",
        "passport": "NotRequired[Union[str, None]]",
        "drivingLicence": "NotRequired[Union[str, None]]",
        "insuranceNumber": "NotRequired[Union[str, None]]",
        "certificateNumber": "NotRequired[Union[str, None]]",
        "entryNumber": "NotRequired[Union[str, None]]",
        "inspectionNumber": "NotRequired[Union[str, None]]",
        "inspectedAt": "NotRequired[Union[str, None]]",
        "allergies": "NotRequired[Union[str, None]]",
        "pastHistory": "NotRequired[Union[str, None]]",
        "diabetes": "NotRequired[Union[bool, None]]",
        "hypertension": "NotRequired[Union[bool, None]]",
        "familyGenetics": "NotRequired[Union[str, None]]",
        "habits": "NotRequired[list[Literal[\"smoking\", \"mouthBreathing\", \"nightGrinding\", \"biting\", \"sugar\"]]]",
        "remark": "NotRequired[Union[str, None]]",
        "name": "str",
        "sex": "Literal[\"male\", \"female\", \"other\"]",
        "birthDate": "NotRequired[Union[str, None]]",
        "age": "NotRequired[Union[int, None]]",
        "id": "str",
        "version": "int",
        "evenIfDuplicate": "NotRequired[bool]",
    },
)

PracticeIssueCodeRequest = TypedDict(
    "PracticeIssueCodeRequest",
    {
        "request": "dict[str, Any]",
        "user": "NotRequired[str]",
    },
)

PracticeIssueCodeResult = TypedDict(
    "PracticeIssueCodeResult",
    {
        "code": "str",
        "expiresIn": "int",
        "path": "str",
    },
)

RefusedFile = TypedDict(
    "RefusedFile",
    {
        "name": "str",
        "refusal": "str",
    },
)

RelatedOrders = TypedDict(
    "RelatedOrders",
    {
        "parent": "Union[dict[str, Any], None]",
        "child": "Union[dict[str, Any], None]",
        "delivered": "bool",
        "mayForward": "bool",
        "remakeOf": "Union[dict[str, Any], None]",
        "remakes": "list[dict[str, Any]]",
        "copies": "int",
    },
)

Relation = TypedDict(
    "Relation",
    {
        "id": "str",
        "state": "Literal[\"requested\", \"established\", \"rejected\", \"cancelled\", \"closing\", \"ended\"]",
        "other": "PartnerInstitution",
        "mine": "bool",
        "requestedAt": "str",
        "establishedAt": "Union[str, None]",
        "endedAt": "Union[str, None]",
        "reason": "Union[str, None]",
        "leftByUs": "Union[bool, None]",
        "resumeUntil": "Union[str, None]",
        "terms": "dict[str, Any]",
        "version": "int",
        "actions": "list[Literal[\"request\", \"accept\", \"autoAccept\", \"reject\", \"cancel\", \"resend\", \"exit\", \"resume\", \"settle\", \"hide\", \"askAgain\"]]",
    },
)

RelationListResult = list["Relation"]

RxChange = TypedDict(
    "RxChange",
    {
        "caseType": "Literal[\"restoration\", \"implant\", \"orthodontics\", \"other\"]",
        "items": "list[OrderItem]",
        "workKinds": "list[Literal[\"design\", \"machining\"]]",
        "jaws": "list[Literal[\"maxilla\", \"mandible\"]]",
        "implantSystem": "Union[str, None]",
        "fixType": "Union[Literal[\"screw\", \"cement\"], None]",
        "torque": "Union[int, None]",
        "gingiva": "Union[Literal[\"scanned\", \"byLab\", \"none\"], None]",
        "antagonist": "Union[Literal[\"natural\", \"restored\", \"implant\", \"denture\", \"none\"], None]",
        "sourceOrder": "Union[str, None]",
        "instructions": "Union[str, None]",
        "schemeRequired": "bool",
        "dueDate": "Union[str, None]",
        "noDigitalFiles": "bool",
    },
)

RxChangeInput = TypedDict(
    "RxChangeInput",
    {
        "caseType": "Literal[\"restoration\", \"implant\", \"orthodontics\", \"other\"]",
        "items": "list[OrderItemInput]",
        "workKinds": "list[Literal[\"design\", \"machining\"]]",
        "jaws": "NotRequired[list[Literal[\"maxilla\", \"mandible\"]]]",
        "implantSystem": "NotRequired[Union[str, None]]",
        "fixType": "NotRequired[Union[Literal[\"screw\", \"cement\"], None]]",
        "torque": "NotRequired[Union[int, None]]",
        "gingiva": "NotRequired[Union[Literal[\"scanned\", \"byLab\", \"none\"], None]]",
        "antagonist": "NotRequired[Union[Literal[\"natural\", \"restored\", \"implant\", \"denture\", \"none\"], None]]",
        "sourceOrder": "NotRequired[Union[str, None]]",
        "instructions": "NotRequired[Union[str, None]]",
        "schemeRequired": "NotRequired[bool]",
        "dueDate": "Union[str, None]",
        "noDigitalFiles": "NotRequired[bool]",
    },
)

RxRevision = TypedDict(
    "RxRevision",
    {
        "revision": "int",
        "time": "str",
        "prescription": "dict[str, Any]",
    },
)

StateDrawing = TypedDict(
    "StateDrawing",
    {
        "graphics": "list[dict[str, Any]]",
        "words": "list[dict[str, Any]]",
        "shutter": "Union[dict[str, Any], None]",
        "turns": "Union[Literal[0], Literal[1], Literal[2], Literal[3]]",
        "mirrored": "bool",
        "area": "Union[dict[str, Any], None]",
    },
)

StreamingCopy = TypedDict(
    "StreamingCopy",
    {
        "url": "str",
        "error": "float",
        "coarse": "Union[dict[str, Any], None]",
    },
)

Study = TypedDict(
    "Study",
    {
        "id": "str",
        "patientId": "Union[str, None]",
        "kind": "Literal[\"panorama\", \"lateralCeph\", \"dentalFilm\", \"xRay\", \"ct\", \"photo\", \"video\", \"model\", \"document\"]",
        "kindCertain": "bool",
        "photoView": "Union[Literal[\"face.rest\", \"face.smile\", \"face.profileR\", \"mouth.front\", \"mouth.right\", \"mouth.left\", \"mouth.upper\", \"mouth.lower\"], None]",
        "state": "Literal[\"converting\", \"ready\", \"unconverted\", \"failed\"]",
        "takenAt": "Union[str, None]",
        "createdAt": "str",
        "description": "Union[str, None]",
        "modality": "Union[str, None]",
        "count": "int",
        "bytes": "int",
        "thumbnailUrl": "Union[str, None]",
        "patientName": "str",
        "named": "Union[dict[str, Any], None]",
        "header": "list[dict[str, Any]]",
        "series": "list[ImageSeries]",
    },
)

StudyAttachRequest = TypedDict(
    "StudyAttachRequest",
    {
        "id": "str",
        "patientId": "NotRequired[str]",
        "kind": "NotRequired[Literal[\"panorama\", \"lateralCeph\", \"dentalFilm\", \"xRay\", \"ct\", \"photo\", \"model\"]]",
        "acceptMismatch": "NotRequired[bool]",
    },
)

StudyCancelJobRequest = TypedDict(
    "StudyCancelJobRequest",
    {
        "id": "str",
    },
)

StudyConversionResult = TypedDict(
    "StudyConversionResult",
    {
        "state": "Literal[\"converting\", \"ready\", \"unconverted\", \"failed\"]",
        "isShown": "bool",
        "again": "bool",
        "job": "Union[str, None]",
        "progress": "float",
    },
)

StudyConvertRequest = TypedDict(
    "StudyConvertRequest",
    {
        "id": "str",
    },
)

StudyConvertResult = TypedDict(
    "StudyConvertResult",
    {
        "state": "Literal[\"converting\", \"ready\", \"unconverted\", \"failed\"]",
        "isShown": "bool",
        "again": "bool",
        "job": "Union[str, None]",
        "progress": "float",
    },
)

StudyDownloadRequest = TypedDict(
    "StudyDownloadRequest",
    {
        "studies": "list[str]",
        "nameless": "NotRequired[dict[str, Any]]",
    },
)

StudyDownloadResult = TypedDict(
    "StudyDownloadResult",
    {
        "id": "str",
        "url": "str",
        "files": "int",
        "bytes": "float",
    },
)

StudyDownloadStateResult = TypedDict(
    "StudyDownloadStateResult",
    {
        "id": "str",
        "state": "Literal[\"waiting\", \"running\", \"done\", \"failed\"]",
        "files": "int",
        "done": "int",
    },
)

StudyListResult = list["StudyRow"]

StudyMarksResult = TypedDict(
    "StudyMarksResult",
    {
        "version": "int",
        "marks": "list[Annotation]",
    },
)

StudyOpenRequest = TypedDict(
    "StudyOpenRequest",
    {
        "patientId": "str",
        "kind": "NotRequired[Literal[\"panorama\", \"lateralCeph\", \"dentalFilm\", \"xRay\", \"ct\", \"photo\", \"model\"]]",
        "uploads": "list[str]",
        "photoViews": "NotRequired[dict[str, Any]]",
        "acceptMismatch": "NotRequired[bool]",
    },
)

StudyRow = TypedDict(
    "StudyRow",
    {
        "id": "str",
        "patientId": "Union[str, None]",
        "kind": "Literal[\"panorama\", \"lateralCeph\", \"dentalFilm\", \"xRay\", \"ct\", \"photo\", \"video\", \"model\", \"document\"]",
        "kindCertain": "bool",
        "photoView": "Union[Literal[\"face.rest\", \"face.smile\", \"face.profileR\", \"mouth.front\", \"mouth.right\", \"mouth.left\", \"mouth.upper\", \"mouth.lower\"], None]",
        "state": "Literal[\"converting\", \"ready\", \"unconverted\", \"failed\"]",
        "takenAt": "Union[str, None]",
        "createdAt": "str",
        "description": "Union[str, None]",
        "modality": "Union[str, None]",
        "count": "int",
        "bytes": "int",
        "thumbnailUrl": "Union[str, None]",
    },
)

VolumeInfo = TypedDict(
    "VolumeInfo",
    {
        "columns": "int",
        "rows": "int",
        "slices": "int",
        "spacing": "list[float]",
        "origin": "list[float]",
        "direction": "list[float]",
        "min": "float",
        "max": "float",
        "window": "GreyWindow",
        "fileWindow": "NotRequired[GreyWindow]",
        "valueOffset": "float",
        "valueScale": "float",
        "valueName": "Literal[\"HU\", \"grey\"]",
    },
)

InstitutionDetailInput = TypedDict(
    "InstitutionDetailInput",
    {
    },
)

AgentProgramInput = TypedDict(
    "AgentProgramInput",
    {
        "product": "Literal[\"Arcada Gateway linux-x64\", \"Arcada Gateway win-x64\", \"Arcada Gateway darwin-arm64\"]",
        "version": "str",
    },
)

RelationListInput = TypedDict(
    "RelationListInput",
    {
        "state": "NotRequired[Literal[\"requested\", \"established\", \"rejected\", \"cancelled\", \"closing\", \"ended\"]]",
    },
)

PatientListInput = TypedDict(
    "PatientListInput",
    {
        "search": "NotRequired[str]",
        "sex": "NotRequired[Literal[\"male\", \"female\", \"other\"]]",
        "ageFrom": "NotRequired[int]",
        "ageTo": "NotRequired[int]",
        "createdFrom": "NotRequired[str]",
        "createdTo": "NotRequired[str]",
        "visitFrom": "NotRequired[str]",
        "visitTo": "NotRequired[str]",
        "ct": "NotRequired[Literal[\"yes\", \"no\"]]",
        "report": "NotRequired[Literal[\"yes\", \"no\"]]",
        "sort": "NotRequired[Literal[\"recentVisitAt\", \"createdAt\", \"name\", \"age\"]]",
        "way": "NotRequired[Literal[\"up\", \"down\"]]",
        "cursor": "NotRequired[str]",
        "pageSize": "NotRequired[int]",
    },
)

PatientDetailInput = TypedDict(
    "PatientDetailInput",
    {
        "id": "str",
    },
)

PatientTimelineInput = TypedDict(
    "PatientTimelineInput",
    {
        "id": "str",
        "kinds": "NotRequired[str]",
        "cursor": "NotRequired[str]",
        "pageSize": "NotRequired[int]",
    },
)

StudyListInput = TypedDict(
    "StudyListInput",
    {
        "patientId": "str",
        "kind": "NotRequired[Literal[\"panorama\", \"lateralCeph\", \"dentalFilm\", \"xRay\", \"ct\", \"photo\", \"video\", \"model\", \"document\"]]",
    },
)

StudyDetailInput = TypedDict(
    "StudyDetailInput",
    {
        "id": "str",
        "brief": "NotRequired[str]",
    },
)

StudyJobInput = TypedDict(
    "StudyJobInput",
    {
        "id": "str",
    },
)

StudyConversionInput = TypedDict(
    "StudyConversionInput",
    {
        "id": "str",
    },
)

StudyMarksInput = TypedDict(
    "StudyMarksInput",
    {
        "id": "str",
        "version": "NotRequired[int]",
    },
)

StudyDownloadStateInput = TypedDict(
    "StudyDownloadStateInput",
    {
        "id": "str",
    },
)

OrderListInput = TypedDict(
    "OrderListInput",
    {
        "page": "NotRequired[int]",
        "pageSize": "NotRequired[int]",
        "cursor": "NotRequired[str]",
        "state": "NotRequired[Literal[\"draft\", \"awaiting_sending\", \"pending\", \"awaiting_scheme\", \"awaiting_design\", \"awaiting_dispatch\", \"awaiting_receipt\", \"forwarded\", \"completed\", \"cancelled\", \"refused\"]]",
        "states": "NotRequired[str]",
        "search": "NotRequired[str]",
        "turn": "NotRequired[Literal[\"mine\"]]",
        "task": "NotRequired[Literal[\"answer\", \"reviewScheme\", \"reviewDesign\", \"receive\", \"resend\", \"accept\", \"plan\", \"design\", \"ship\", \"forward\", \"atClinic\", \"shipped\"]]",
        "patientId": "NotRequired[str]",
        "caseType": "NotRequired[Literal[\"restoration\", \"implant\", \"orthodontics\", \"other\"]]",
        "otherIid": "NotRequired[str]",
        "personId": "NotRequired[str]",
        "createdFrom": "NotRequired[str]",
        "createdTo": "NotRequired[str]",
        "dueFrom": "NotRequired[str]",
        "dueTo": "NotRequired[str]",
        "sentFrom": "NotRequired[str]",
        "sentTo": "NotRequired[str]",
        "completedFrom": "NotRequired[str]",
        "completedTo": "NotRequired[str]",
        "openOn": "NotRequired[str]",
        "delivered": "NotRequired[Literal[\"late\", \"onTime\"]]",
        "remake": "NotRequired[Literal[\"any\", \"lab\", \"clinic\", \"material\", \"patient\", \"unstated\"]]",
        "list": "NotRequired[Literal[\"sent\", \"received\"]]",
        "sort": "NotRequired[Literal[\"number\", \"created\", \"updated\", \"due\", \"patient\", \"state\"]]",
        "way": "NotRequired[Literal[\"up\", \"down\"]]",
    },
)

OrderCountsInput = TypedDict(
    "OrderCountsInput",
    {
    },
)

OrderDetailInput = TypedDict(
    "OrderDetailInput",
    {
        "id": "str",
    },
)

OrderPrescriptionInput = TypedDict(
    "OrderPrescriptionInput",
    {
        "id": "str",
        "lang": "NotRequired[Literal[\"zh\", \"en\"]]",
        "teeth": "NotRequired[Literal[\"fdi\", \"palmer\", \"universal\"]]",
    },
)

OrderPinsInput = TypedDict(
    "OrderPinsInput",
    {
        "id": "str",
    },
)

OrderRxInput = TypedDict(
    "OrderRxInput",
    {
        "id": "str",
    },
)

def _to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class ArcadaRefusal(Exception):
    """A refusal of the server. `code` never changes its meaning; the text is for people."""

    def __init__(self, status: int, code: int, message: str, data: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.data = status, code, data


class Arcada:
    """Makes calls with a key of an organisation. Waits and repeats when the server asks for a pause."""

    def __init__(self, url: str, key: str, language: str = "en", timeout: float = 30.0) -> None:
        self._url, self._timeout = url.rstrip("/"), timeout
        self._headers = {"authorization": f"Bearer {key}", "accept-language": language}

    def _call(self, method: str, path: str, values: Any, idempotency_key: str | None = None) -> Any:
        address, body, headers = self._url + path, None, dict(self._headers)
        if method == "GET":
            query = {name: _to_text(value) for name, value in (values or {}).items() if value is not None}
            address += "?" + urllib.parse.urlencode(query) if query else ""
        else:
            body = json.dumps(values or {}).encode()
            headers["content-type"] = "application/json"
        if idempotency_key:
            headers["idempotency-key"] = idempotency_key
        for attempt in range(4):
            request = urllib.request.Request(address, data=body, headers=headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as response:
                    return json.load(response)["data"]
            except urllib.error.HTTPError as error:
                if error.code == 429 and attempt < 3:
                    time.sleep(min(float(error.headers.get("retry-after", "1")), 60.0))
                    continue
                try:
                    refusal = json.load(error)
                except ValueError:
                    refusal = {}
                raise ArcadaRefusal(
                    error.code, refusal.get("code", 0), refusal.get("msg", str(error)), refusal.get("data")
                ) from None
        raise AssertionError("unreachable")

    def launch_code(
        self, values: LaunchCodeRequest
    ) -> LaunchCodeResult:
        """By a key: makes a single-use code that opens this product as `?token=` for a member of its organisation who allowed it. Scope: launch."""
        return self._call("POST", "/v1/base/launchCode", values)

    def institution_detail(
        self, values: InstitutionDetailInput | None = None
    ) -> Institution:
        """The session's organisation. Scope: organisation.read."""
        return self._call("GET", "/v1/institution/detail", values)

    def agent_orders(
        self, values: AgentOrdersRequest
    ) -> AgentOrdersResult:
        """The received orders that a laboratory designs now, and the present state of the others that its agent has delivered. Scope: lab.agent."""
        return self._call("POST", "/v1/agent/orders", values)

    def agent_fetch(
        self, values: AgentFetchRequest
    ) -> AgentFetchResult:
        """Prepares the archive of an order that is designed now, as a project of exocad, for the laboratory's agent. Scope: lab.agent."""
        return self._call("POST", "/v1/agent/fetch", values)

    def agent_submit(
        self, values: AgentSubmitRequest, *, idempotency_key: str | None = None
    ) -> AgentSubmitResult:
        """Submits a design that the laboratory's agent found in the case's folder, as a new revision. A design that still waits for its approval is withdrawn first; the files of the newest revision make none. Scope: lab.agent."""
        return self._call("POST", "/v1/agent/submit", values, idempotency_key)

    def agent_report(
        self, values: AgentReportRequest
    ) -> AgentReportResult:
        """Says how a laboratory's agent does; its managers see it beside the agent's key. Scope: lab.agent."""
        return self._call("POST", "/v1/agent/report", values)

    def agent_program(
        self, values: AgentProgramInput
    ) -> AgentProgramResult:
        """The newest package of the agent's own program above a version, or null. Scope: lab.agent."""
        return self._call("GET", "/v1/agent/program", values)

    def relation_list(
        self, values: RelationListInput | None = None
    ) -> RelationListResult:
        """The organisation's relationships, newest first. Scope: organisation.read."""
        return self._call("GET", "/v1/relation/list", values)

    def patient_list(
        self, values: PatientListInput | None = None
    ) -> PatientListResult:
        """The clinic's patients; search over name, pinyin initials, number, phone and entry number. Scope: patients.read."""
        return self._call("GET", "/v1/patient/list", values)

    def patient_detail(
        self, values: PatientDetailInput
    ) -> Patient:
        """One patient's record. Scope: patients.read."""
        return self._call("GET", "/v1/patient/detail", values)

    def patient_create(
        self, values: PatientCreateRequest, *, idempotency_key: str | None = None
    ) -> Patient:
        """Makes a patient. Candidates for the same person are refused once with patientDuplicate unless `evenIfDuplicate`. Scope: patients.write."""
        return self._call("POST", "/v1/patient/create", values, idempotency_key)

    def patient_update(
        self, values: PatientUpdateRequest, *, idempotency_key: str | None = None
    ) -> Patient:
        """Changes a patient's record, from the version that was seen. A name, birth date or identity number that now names somebody else's record too is asked about as in create. Scope: patients.write."""
        return self._call("POST", "/v1/patient/update", values, idempotency_key)

    def patient_timeline(
        self, values: PatientTimelineInput
    ) -> PatientTimelineResult:
        """What happened to a patient, newest first; `kinds` names those wanted, with commas between. Scope: patients.read."""
        return self._call("GET", "/v1/patient/timeline", values)

    def practice_issue_code(
        self, values: PracticeIssueCodeRequest
    ) -> PracticeIssueCodeResult:
        """By a key: makes a single-use code, good for 60 seconds, that opens a patient or study. It signs nobody in; with a user, it works for them alone. Scope: patients.launch."""
        return self._call("POST", "/v1/practice/code", values)

    def study_list(
        self, values: StudyListInput
    ) -> StudyListResult:
        """The studies of one patient. Scope: studies.read."""
        return self._call("GET", "/v1/study/list", values)

    def study_detail(
        self, values: StudyDetailInput
    ) -> Study:
        """One study with its series and the addresses of what viewers show. A lab sees those of its orders. Scope: studies.read."""
        return self._call("GET", "/v1/study/detail", values)

    def study_attach(
        self, values: StudyAttachRequest, *, idempotency_key: str | None = None
    ) -> StudyRow:
        """Gives a study of the inbox its patient, or changes a study's kind. Scope: studies.write."""
        return self._call("POST", "/v1/study/attach", values, idempotency_key)

    def study_open(
        self, values: StudyOpenRequest, *, idempotency_key: str | None = None
    ) -> IngestJob:
        """Ends an upload: the named uploads become the patient's studies in a job. Scope: studies.write."""
        return self._call("POST", "/v1/study/open", values, idempotency_key)

    def study_job(
        self, values: StudyJobInput
    ) -> IngestJob:
        """How far an ingest is, and what was refused. Scope: studies.read."""
        return self._call("GET", "/v1/study/job", values)

    def study_cancel_job(
        self, values: StudyCancelJobRequest
    ) -> IngestJob:
        """Stops an ingest that has not finished, nothing of it stays; or the making of files for viewers, the originals stay. Scope: studies.write."""
        return self._call("POST", "/v1/study/cancelJob", values)

    def study_convert(
        self, values: StudyConvertRequest, *, idempotency_key: str | None = None
    ) -> StudyConvertResult:
        """Makes a study's files for viewers again, where they were removed or could not be made; asked again, it goes on. Scope: studies.read."""
        return self._call("POST", "/v1/study/convert", values, idempotency_key)

    def study_conversion(
        self, values: StudyConversionInput
    ) -> StudyConversionResult:
        """How far the making of a study's files for viewers is. Scope: studies.read."""
        return self._call("GET", "/v1/study/conversion", values)

    def study_marks(
        self, values: StudyMarksInput
    ) -> StudyMarksResult:
        """Measurements and annotations of a study, as they are or as they were in a version. Scope: studies.read."""
        return self._call("GET", "/v1/study/marks", values)

    def study_download(
        self, values: StudyDownloadRequest
    ) -> StudyDownloadResult:
        """Prepares one archive of one patient's studies, as they came or de-identified; answers its short-lived address. A lab gets one study that an order brings, without names where they are hidden. Scope: studies.read."""
        return self._call("POST", "/v1/study/download", values)

    def study_download_state(
        self, values: StudyDownloadStateInput
    ) -> StudyDownloadStateResult:
        """How many files of an archive have been written. Scope: studies.read."""
        return self._call("GET", "/v1/study/downloadState", values)

    def order_list(
        self, values: OrderListInput | None = None
    ) -> OrderListResult:
        """Orders that this organisation sent or received; behind a cursor a page costs what the first one does. Scope: orders.read."""
        return self._call("GET", "/v1/order/list", values)

    def order_counts(
        self, values: OrderCountsInput | None = None
    ) -> OrderCountsResult:
        """How many orders stand in each state, and how many wait for this organisation. Scope: orders.read."""
        return self._call("GET", "/v1/order/counts", values)

    def order_detail(
        self, values: OrderDetailInput
    ) -> Order:
        """One order with its prescription, files, revisions, timeline, messages and the actions open to the reader. Scope: orders.read."""
        return self._call("GET", "/v1/order/detail", values)

    def order_save(
        self, values: OrderSaveRequest, *, idempotency_key: str | None = None
    ) -> Order:
        """Makes a draft or changes one; with `send` it is submitted in the same transaction. Scope: orders.write."""
        return self._call("POST", "/v1/order/save", values, idempotency_key)

    def order_step(
        self, values: OrderStepRequest, *, idempotency_key: str | None = None
    ) -> OrderStepResult:
        """Moves an order by one action of its life cycle. Scope: orders.write."""
        return self._call("POST", "/v1/order/step", values, idempotency_key)

    def order_message(
        self, values: MessageInputInput, *, idempotency_key: str | None = None
    ) -> OrderMessage:
        """Says something to the other side of an order. Scope: orders.write."""
        return self._call("POST", "/v1/order/message", values, idempotency_key)

    def order_copy(
        self, values: OrderCopyRequest, *, idempotency_key: str | None = None
    ) -> Order:
        """Makes a new draft with the same prescription. Scope: orders.write."""
        return self._call("POST", "/v1/order/copy", values, idempotency_key)

    def order_download(
        self, values: OrderDownloadRequest
    ) -> OrderDownloadResult:
        """Prepares one archive of the files of an order, or of some of them, with a manifest of their hashes; answers its short-lived address. A lab gets what it may take, without names where they are hidden. Scope: orders.read."""
        return self._call("POST", "/v1/order/download", values)

    def order_save_child(
        self, values: OrderSaveChildRequest, *, idempotency_key: str | None = None
    ) -> Order:
        """Changes the draft by which a lab passes an order on; with `send` it is submitted in the same transaction. Scope: orders.write."""
        return self._call("POST", "/v1/order/saveChild", values, idempotency_key)

    def order_remake(
        self, values: OrderRemakeRequest, *, idempotency_key: str | None = None
    ) -> Order:
        """Makes a new draft of a completed order whose work has to be made again. Scope: orders.write."""
        return self._call("POST", "/v1/order/remake", values, idempotency_key)

    def order_prescription(
        self, values: OrderPrescriptionInput
    ) -> OrderPrescriptionResult:
        """The short-lived address of an order's prescription on paper: a PDF in A4, as the asker may know it. Scope: orders.read."""
        return self._call("GET", "/v1/order/prescription", values)

    def order_open_revision(
        self, values: OrderOpenRevisionRequest
    ) -> None:
        """Says that the asker has opened a scheme or a design; a design can be approved only after this. Scope: orders.write."""
        return self._call("POST", "/v1/order/openRevision", values)

    def order_pins(
        self, values: OrderPinsInput
    ) -> OrderPinsResult:
        """Comments at places of an order's models, with their answers. Scope: orders.read."""
        return self._call("GET", "/v1/order/pins", values)

    def order_rx(
        self, values: OrderRxInput
    ) -> OrderRxResult:
        """The prescription of an order as it was handed over and after each change. Scope: orders.read."""
        return self._call("GET", "/v1/order/rx", values)
