// Made from the contract by `node scripts/generate-docs.ts`; a test compares them.

/** The version of the open interface from which this file was made. */
export const apiVersion = "1.0.0";

export interface Annotation {
  id: string;
  tool: "length" | "angle" | "cobb" | "ratio" | "path" | "arrow" | "text" | "tooth" | "calibration" | "profile" | "ellipse" | "rectangle" | "arch" | "canal" | "sinus" | "implant" | "root" | "airway" | "scene" | "surface" | "thickness" | "pin" | "registration" | "orientation";
  instanceId: string | null;
  points: Array<Array<number>>;
  plane: "axial" | "coronal" | "sagittal" | "panorama" | "section" | "volume" | null;
  text: string | null;
  settings?: {
    [name: string]: number | boolean | string;
  };
}

export interface DesignFault {
  item: number;
  kinds: Array<"margin" | "contact" | "occlusion" | "shape" | "shade">;
}

export interface DesignFaultInput {
  item: number;
  kinds: Array<"margin" | "contact" | "occlusion" | "shape" | "shade">;
}

export interface DetectedArch {
  upper: Array<Array<number>>;
  lower: Array<Array<number>>;
  up: Array<number>;
  edges?: Array<"rightRamus" | "leftRamus" | "rightCondyle" | "leftCondyle" | "chin">;
}

export interface GreyWindow {
  center: number;
  width: number;
  shape?: "linearExact" | "sigmoid" | "table";
  table?: string;
}

export interface ImageInstance {
  id: string;
  name: string;
  alsoNamed: Array<string>;
  bytes: number;
  sha256: string;
  originalUrl: string | null;
  thumbnailUrl: string | null;
  fault: string | null;
  picture: {
    format: "grey16" | "image";
    columns: number;
    rows: number;
    signed: boolean;
    inverted: boolean;
    min: number;
    max: number;
    window: GreyWindow | null;
    valueOffset: number;
    valueScale: number;
    presentation: {
      label: string;
      notApplied: Array<string>;
      drawn: StateDrawing | null;
    } | null;
    spacing: {
      row: number;
      column: number;
      source: "pixelSpacing" | "imager" | "resolution" | "user";
    } | null;
    url: string;
    frames: Array<string>;
    overlays: Array<string>;
  } | null;
  document: {
    url: string | null;
  } | null;
  model: {
    format: "stl" | "ply" | "obj";
    url: string;
    triangles: number;
    jaw: "upper" | "lower" | null;
    glb: {
      url: string;
      error: number;
    } | null;
  } | null;
}

export interface ImageSeries {
  id: string;
  kind: "volume" | "pictures" | "models";
  modality: string | null;
  description: string | null;
  count: number;
  thumbnailUrl: string | null;
  problems: Array<{
    code: string;
    detail: string;
  }>;
  instances: Array<ImageInstance>;
  volume: {
    columns: number;
    rows: number;
    slices: number;
    spacing: Array<number>;
    origin: Array<number>;
    direction: Array<number>;
    min: number;
    max: number;
    window: GreyWindow;
    fileWindow?: GreyWindow;
    valueOffset: number;
    valueScale: number;
    valueName: "HU" | "grey";
    preview: {
      url: string;
      info: VolumeInfo;
    } | null;
    firstLook: string | null;
    arch?: DetectedArch | null;
    half: {
      info: VolumeInfo;
      groups: Array<string | null>;
    } | null;
    groups: Array<string | null>;
    groupSize: number;
    isGrowing: boolean;
  } | null;
}

export interface IngestJob {
  id: string;
  patientId: string | null;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  progress: number;
  stage: "receiving" | "unpacking" | "reading" | "storing" | "converting" | "done";
  studies: Array<string>;
  refused: Array<RefusedFile>;
  added: number;
  known: number;
  knownFiles: Array<{
    name: string;
    as: string;
  }>;
  questions: Array<string>;
  refusal: string | null;
}

export interface Institution {
  id: string;
  name: string;
  number: string;
  type: "clinic" | "lab";
  country: string;
  address: string | null;
  contactPerson: string | null;
  contactWay: string | null;
  longitude: number | null;
  latitude: number | null;
  hidePatientNames: boolean;
  autoAcceptRelations: boolean;
  sharePhones: boolean;
  requireFactor: boolean;
  receiptDays: number | null;
  retentionYears: number | null;
  timeZone: string;
  reportLogo: {
    cover: string | null;
    inside: string | null;
  };
}

export interface LaunchCodeRequest {
  user: string;
}

export interface LaunchCodeResult {
  code: string;
  expiresIn: number;
}

export interface MessageInputInput {
  id: string;
  text?: string;
  files?: Array<string>;
  mentions?: Array<string>;
}

export interface Order {
  id: string;
  number: string;
  state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
  turn: "sender" | "receiver" | "nobody";
  step: "preparing" | "submitted" | "returned" | "production" | "uploading" | "send_failed";
  holder: "sender" | "receiver";
  schemeRevision: number;
  designRevision: number;
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  patientName: string;
  patientNumber: string;
  teeth: Array<number>;
  work: Array<{
    teeth: Array<number>;
    kind: "inlay" | "onlay" | "veneer" | "crown" | "bridge" | "pontic" | "postCore" | "customAbutment" | "bar" | "surgicalGuide" | "other";
    material: "resin" | "titanium" | "zirconia" | "layeredZirconia" | "pressCeramic" | "glassCeramic" | "pmma" | "metalCeramic" | "cobaltChrome" | "preciousMetal" | null;
    shade: "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  }>;
  sender: {
    iid: string;
    name: string;
    number: string;
  };
  receiver: {
    iid: string;
    name: string;
    number: string;
  } | null;
  creatorName: string;
  responsibleName: string;
  assigneeName: string | null;
  assigneeId: string | null;
  dueDate: string | null;
  promisedDate: string | null;
  createdAt: string;
  updatedAt: string;
  mine: "sender" | "receiver";
  myTurn: boolean;
  unread: number;
  version: number;
  responsibleId: string | null;
  contacts: {
    sender: OrderContact | null;
    receiver: OrderContact | null;
  };
  patientId: string | null;
  prescription: {
    caseType: "restoration" | "implant" | "orthodontics" | "other";
    items: Array<OrderItem>;
    workKinds: Array<"design" | "machining">;
    jaws: Array<"maxilla" | "mandible">;
    implantSystem: string | null;
    fixType: "screw" | "cement" | null;
    torque: number | null;
    gingiva: "scanned" | "byLab" | "none" | null;
    antagonist: "natural" | "restored" | "implant" | "denture" | "none" | null;
    sourceOrder: string | null;
    instructions: string | null;
    schemeRequired: boolean;
    targetIid: string | null;
    dueDate: string | null;
    maskName: boolean;
    mayForward: boolean | null;
    namePasses: boolean;
    labShares: boolean;
    noDigitalFiles: boolean;
  };
  rxRevision: number;
  files: Array<OrderFile>;
  revisions: Array<OrderRevision>;
  events: Array<OrderEvent>;
  messages: Array<OrderMessage>;
  readings: Array<OrderReading>;
  shipment: {
    carrier: string | null;
    trackingNumber: string | null;
    handDelivery: boolean;
    at: string;
  } | null;
  infoRequest: string | null;
  cancelRequest: string | null;
  proposal: {
    id: string;
    time: string;
    who: string;
    text: string | null;
    changed: Array<string>;
    prescription: RxChange;
    files: Array<OrderFile>;
  } | null;
  family: RelatedOrders;
  missing: Array<string>;
  actions: Array<"create" | "edit" | "delete" | "submit" | "handOver" | "transferFailed" | "recall" | "cancel" | "requestInfo" | "supplyInfo" | "accept" | "refuse" | "submitScheme" | "confirmScheme" | "returnScheme" | "submitDesign" | "confirmDesign" | "confirmDelivery" | "returnDesign" | "withdraw" | "backToScheme" | "backToDesign" | "dispatch" | "correctShipment" | "recallDispatch" | "confirmReceipt" | "redeliver" | "autoComplete" | "requestCancel" | "decideCancel" | "cancelByReceiver" | "prepareForward" | "forward" | "dropForward" | "childFailed" | "childDelivered" | "proposeChange" | "decideChange" | "assign">;
  mayChat: boolean;
  mayShare: boolean;
  labShares: boolean | null;
  nameHidden: boolean;
}

export interface OrderContact {
  person: string | null;
  phone: string | null;
  contactPerson: string | null;
  contactWay: string | null;
  address: string | null;
}

export interface OrderCopyRequest {
  id: string;
}

export interface OrderCountsResult {
  all: number;
  myTurn: number;
  states: {
    [name: string]: number;
  };
}

export interface OrderDownloadRequest {
  id: string;
  files?: Array<string>;
  layout?: "folders" | "exocad";
}

export interface OrderDownloadResult {
  url: string;
  files: number;
  bytes: number;
}

export interface OrderEvent {
  id: string;
  time: string;
  action: string;
  from: string | null;
  to: string;
  who: string;
  side: "sender" | "receiver" | "system";
  text: string | null;
  revision: number | null;
  changed?: Array<string>;
  code?: string;
  faults?: Array<DesignFault>;
}

export interface OrderFile {
  id: string;
  role: "upperScan" | "lowerScan" | "bite" | "image" | "ct" | "document" | "scheme" | "design" | "answer" | "photo" | "message";
  name: string;
  bytes: number;
  sha256: string;
  studyId: string | null;
  studyKind: string | null;
  revisionId: string | null;
  messageId: string | null;
  url: string | null;
  glb: {
    url: string;
    error: number;
  } | null;
  thumbnailUrl: string | null;
  pictureUrl: string | null;
}

export interface OrderItem {
  teeth: Array<number>;
  kind: "inlay" | "onlay" | "veneer" | "crown" | "bridge" | "pontic" | "postCore" | "customAbutment" | "bar" | "surgicalGuide" | "other";
  material: "resin" | "titanium" | "zirconia" | "layeredZirconia" | "pressCeramic" | "glassCeramic" | "pmma" | "metalCeramic" | "cobaltChrome" | "preciousMetal" | null;
  shade: "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  stumpShade: "ND1" | "ND2" | "ND3" | "ND4" | "ND5" | "ND6" | "ND7" | "ND8" | "ND9" | "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  pontics: Array<number>;
  remark: string | null;
}

export interface OrderItemInput {
  teeth: Array<number>;
  kind: "inlay" | "onlay" | "veneer" | "crown" | "bridge" | "pontic" | "postCore" | "customAbutment" | "bar" | "surgicalGuide" | "other";
  material: "resin" | "titanium" | "zirconia" | "layeredZirconia" | "pressCeramic" | "glassCeramic" | "pmma" | "metalCeramic" | "cobaltChrome" | "preciousMetal" | null;
  shade: "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  stumpShade?: "ND1" | "ND2" | "ND3" | "ND4" | "ND5" | "ND6" | "ND7" | "ND8" | "ND9" | "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  pontics?: Array<number>;
  remark?: string | null;
}

export interface OrderListResult {
  list: Array<OrderRow>;
  total: number;
  next: string | null;
}

export interface OrderMessage {
  id: string;
  time: string;
  who: string;
  mine: boolean;
  text: string;
  mentions: Array<string>;
}

export interface OrderOpenRevisionRequest {
  id: string;
  revision: string;
}

export interface OrderPin {
  id: string;
  time: string;
  who: string;
  mine: boolean;
  text: string;
  number: number;
  fileId: string;
  sha256: string;
  point: [number, number, number];
  replies: Array<{
    id: string;
    time: string;
    who: string;
    mine: boolean;
    text: string;
  }>;
  settled: {
    who: string;
    time: string;
  } | null;
  mayRemove: boolean;
}

export interface OrderPinsResult {
  list: Array<OrderPin>;
  mayWrite: boolean;
}

export interface OrderPrescriptionResult {
  url: string;
}

export interface OrderReading {
  who: string;
  mine: boolean;
  self: boolean;
  upTo: string;
  at: string;
}

export interface OrderRemakeRequest {
  id: string;
  class: "lab" | "clinic" | "material" | "patient";
  bears: "open" | "lab" | "clinic" | "shared";
}

export interface OrderRevision {
  id: string;
  kind: "scheme" | "design";
  number: number;
  hash: string;
  text: string | null;
  state: "submitted" | "confirmed" | "returned" | "withdrawn" | "voided";
  time: string;
  who: string;
  decided: {
    who: string;
    time: string;
  } | null;
  seen: boolean;
}

export interface OrderRow {
  id: string;
  number: string;
  state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
  turn: "sender" | "receiver" | "nobody";
  step: "preparing" | "submitted" | "returned" | "production" | "uploading" | "send_failed";
  holder: "sender" | "receiver";
  schemeRevision: number;
  designRevision: number;
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  patientName: string;
  patientNumber: string;
  teeth: Array<number>;
  work: Array<{
    teeth: Array<number>;
    kind: "inlay" | "onlay" | "veneer" | "crown" | "bridge" | "pontic" | "postCore" | "customAbutment" | "bar" | "surgicalGuide" | "other";
    material: "resin" | "titanium" | "zirconia" | "layeredZirconia" | "pressCeramic" | "glassCeramic" | "pmma" | "metalCeramic" | "cobaltChrome" | "preciousMetal" | null;
    shade: "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  }>;
  sender: {
    iid: string;
    name: string;
    number: string;
  };
  receiver: {
    iid: string;
    name: string;
    number: string;
  } | null;
  creatorName: string;
  responsibleName: string;
  assigneeName: string | null;
  assigneeId: string | null;
  dueDate: string | null;
  promisedDate: string | null;
  createdAt: string;
  updatedAt: string;
  mine: "sender" | "receiver";
  myTurn: boolean;
  unread: number;
  version: number;
}

export interface OrderRxResult {
  list: Array<RxRevision>;
}

export interface OrderSaveChildRequest {
  id: string;
  version: number;
  prescription: RxChangeInput;
  send?: boolean;
}

export interface OrderSaveRequest {
  patientId: string;
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  items: Array<OrderItemInput>;
  workKinds: Array<"design" | "machining">;
  jaws?: Array<"maxilla" | "mandible">;
  implantSystem?: string | null;
  fixType?: "screw" | "cement" | null;
  torque?: number | null;
  gingiva?: "scanned" | "byLab" | "none" | null;
  antagonist?: "natural" | "restored" | "implant" | "denture" | "none" | null;
  sourceOrder?: string | null;
  instructions?: string | null;
  schemeRequired?: boolean;
  targetIid: string | null;
  dueDate: string | null;
  maskName?: boolean;
  mayForward?: boolean | null;
  namePasses?: boolean;
  labShares?: boolean;
  noDigitalFiles?: boolean;
  studies?: Array<string>;
  uploads?: Array<{
    upload: string;
    role: "upperScan" | "lowerScan" | "bite" | "image" | "ct" | "document" | "scheme" | "design" | "answer" | "photo";
  }>;
  id?: string;
  version?: number;
  responsibleId?: string;
  send?: boolean;
}

export interface OrderStepRequest {
  id: string;
  action: "create" | "edit" | "delete" | "submit" | "handOver" | "transferFailed" | "recall" | "cancel" | "requestInfo" | "supplyInfo" | "accept" | "refuse" | "submitScheme" | "confirmScheme" | "returnScheme" | "submitDesign" | "confirmDesign" | "confirmDelivery" | "returnDesign" | "withdraw" | "backToScheme" | "backToDesign" | "dispatch" | "correctShipment" | "recallDispatch" | "confirmReceipt" | "redeliver" | "autoComplete" | "requestCancel" | "decideCancel" | "cancelByReceiver" | "prepareForward" | "forward" | "dropForward" | "childFailed" | "childDelivered" | "proposeChange" | "decideChange" | "assign";
  version: number;
  reason?: string;
  text?: string;
  files?: Array<{
    upload: string;
    role: "upperScan" | "lowerScan" | "bite" | "image" | "ct" | "document" | "scheme" | "design" | "answer" | "photo";
  }>;
  revisionHash?: string;
  carrier?: string;
  trackingNumber?: string;
  handDelivery?: boolean;
  promisedDate?: string;
  assigneeId?: string;
  targetIid?: string;
  approve?: boolean;
  prescription?: RxChangeInput;
  reasonCode?: "patient" | "duplicate" | "mistake" | "otherLab" | "other" | "capacity" | "files" | "scope" | "terms";
  faults?: Array<DesignFaultInput>;
  straight?: boolean;
  showName?: boolean;
  delivered?: boolean;
}

export type OrderStepResult = Order | null;

export interface PartnerInstitution {
  id: string;
  name: string;
  number: string;
  type: "clinic" | "lab";
  country: string;
  address: string | null;
  contactPerson: string | null;
  contactWay: string | null;
  longitude: number | null;
  latitude: number | null;
}

export interface Patient {
  id: string;
  number: string;
  name: string;
  sex: "male" | "female" | "other";
  birthDate: string | null;
  age: number | null;
  phone: string | null;
  entryNumber: string | null;
  createdAt: string;
  recentVisitAt: string | null;
  studies: number;
  orders: number;
  fixedLine: string | null;
  email: string | null;
  mailAddress: string | null;
  idNumber: string | null;
  passport: string | null;
  drivingLicence: string | null;
  insuranceNumber: string | null;
  certificateNumber: string | null;
  inspectionNumber: string | null;
  inspectedAt: string | null;
  allergies: string | null;
  pastHistory: string | null;
  diabetes: boolean | null;
  hypertension: boolean | null;
  familyGenetics: string | null;
  habits: Array<"smoking" | "mouthBreathing" | "nightGrinding" | "biting" | "sugar">;
  remark: string | null;
  createdBy: string;
  version: number;
}

export interface PatientCreateRequest {
  phone?: string | null;
  fixedLine?: string | null;
  email?: "" | string | null;
  mailAddress?: string | null;
  idNumber?: string | null;
  passport?: string | null;
  drivingLicence?: string | null;
  insuranceNumber?: string | null;
  certificateNumber?: string | null;
  entryNumber?: string | null;
  inspectionNumber?: string | null;
  inspectedAt?: string | null;
  allergies?: string | null;
  pastHistory?: string | null;
  diabetes?: boolean | null;
  hypertension?: boolean | null;
  familyGenetics?: string | null;
  habits?: Array<"smoking" | "mouthBreathing" | "nightGrinding" | "biting" | "sugar">;
  remark?: string | null;
  name: string;
  sex: "male" | "female" | "other";
  birthDate?: string | null;
  age?: number | null;
  evenIfDuplicate?: boolean;
}

export interface PatientListResult {
  list: Array<PatientRow>;
  total: number;
  next: string | null;
}

export interface PatientRow {
  id: string;
  number: string;
  name: string;
  sex: "male" | "female" | "other";
  birthDate: string | null;
  age: number | null;
  phone: string | null;
  entryNumber: string | null;
  createdAt: string;
  recentVisitAt: string | null;
  studies: number;
  orders: number;
}

export interface PatientTimelineResult {
  list: Array<{
    time: string;
    kind: "created" | "study" | "order" | "visit" | "analysis" | "tracing" | "report" | "consent" | "merge";
    id: string;
    label: string;
    studyId: string | null;
  }>;
  next: string | null;
}

export interface PatientUpdateRequest {
  phone?: string | null;
  fixedLine?: string | null;
  email?: "" | string | null;
  mailAddress?: string | null;
  idNumber?: string | null;
  passport?: string | null;
  drivingLicence?: string | null;
  insuranceNumber?: string | null;
  certificateNumber?: string | null;
  entryNumber?: string | null;
  inspectionNumber?: string | null;
  inspectedAt?: string | null;
  allergies?: string | null;
  pastHistory?: string | null;
  diabetes?: boolean | null;
  hypertension?: boolean | null;
  familyGenetics?: string | null;
  habits?: Array<"smoking" | "mouthBreathing" | "nightGrinding" | "biting" | "sugar">;
  remark?: string | null;
  name: string;
  sex: "male" | "female" | "other";
  birthDate?: string | null;
  age?: number | null;
  id: string;
  version: number;
  evenIfDuplicate?: boolean;
}

export interface RefusedFile {
  name: string;
  refusal: string;
}

export interface RelatedOrders {
  parent: {
    id: string;
    number: string;
    state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
  } | null;
  child: {
    order: {
      id: string;
      number: string;
      state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    } | null;
    labName: string | null;
    straight: boolean;
  } | null;
  delivered: boolean;
  mayForward: boolean;
  remakeOf: {
    id: string;
    number: string;
    state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    class: "lab" | "clinic" | "material" | "patient";
    bears: "open" | "lab" | "clinic" | "shared";
  } | null;
  remakes: Array<{
    id: string;
    number: string;
    state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    class: "lab" | "clinic" | "material" | "patient";
    bears: "open" | "lab" | "clinic" | "shared";
  }>;
  copies: number;
}

export interface Relation {
  id: string;
  state: "requested" | "established" | "rejected" | "cancelled" | "closing" | "ended";
  other: PartnerInstitution;
  mine: boolean;
  requestedAt: string;
  establishedAt: string | null;
  endedAt: string | null;
  reason: string | null;
  leftByUs: boolean | null;
  resumeUntil: string | null;
  terms: {
    ours: {
      mayForward: boolean;
    } | null;
    theirs: {
      mayForward: boolean;
    } | null;
  };
  version: number;
  actions: Array<"request" | "accept" | "autoAccept" | "reject" | "cancel" | "resend" | "exit" | "resume" | "settle" | "hide" | "askAgain">;
}

export type RelationListResult = Array<Relation>;

export interface RxChange {
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  items: Array<OrderItem>;
  workKinds: Array<"design" | "machining">;
  jaws: Array<"maxilla" | "mandible">;
  implantSystem: string | null;
  fixType: "screw" | "cement" | null;
  torque: number | null;
  gingiva: "scanned" | "byLab" | "none" | null;
  antagonist: "natural" | "restored" | "implant" | "denture" | "none" | null;
  sourceOrder: string | null;
  instructions: string | null;
  schemeRequired: boolean;
  dueDate: string | null;
  noDigitalFiles: boolean;
}

export interface RxChangeInput {
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  items: Array<OrderItemInput>;
  workKinds: Array<"design" | "machining">;
  jaws?: Array<"maxilla" | "mandible">;
  implantSystem?: string | null;
  fixType?: "screw" | "cement" | null;
  torque?: number | null;
  gingiva?: "scanned" | "byLab" | "none" | null;
  antagonist?: "natural" | "restored" | "implant" | "denture" | "none" | null;
  sourceOrder?: string | null;
  instructions?: string | null;
  schemeRequired?: boolean;
  dueDate: string | null;
  noDigitalFiles?: boolean;
}

export interface RxRevision {
  revision: number;
  time: string;
  prescription: {
    caseType?: "restoration" | "implant" | "orthodontics" | "other";
    items: Array<OrderItem>;
    workKinds: Array<"design" | "machining">;
    jaws: Array<"maxilla" | "mandible">;
    implantSystem: string | null;
    fixType: "screw" | "cement" | null;
    torque: number | null;
    gingiva: "scanned" | "byLab" | "none" | null;
    antagonist: "natural" | "restored" | "implant" | "denture" | "none" | null;
    sourceOrder: string | null;
    instructions: string | null;
    schemeRequired: boolean;
    dueDate?: string | null;
    mayForward: boolean | null;
    namePasses: boolean;
    labShares: boolean;
    noDigitalFiles: boolean;
  };
}

export interface StateDrawing {
  graphics: Array<{
    points: Array<Array<number>>;
    isFilled: boolean;
    frames: Array<number>;
  }>;
  words: Array<{
    words: string;
    at: Array<number>;
    frames: Array<number>;
  }>;
  shutter: {
    outlines: Array<Array<Array<number>>>;
    shade: number;
  } | null;
  turns: 0 | 1 | 2 | 3;
  mirrored: boolean;
  area: {
    left: number;
    top: number;
    right: number;
    bottom: number;
  } | null;
}

export interface Study {
  id: string;
  patientId: string | null;
  kind: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "model" | "document";
  kindCertain: boolean;
  photoView: "face.rest" | "face.smile" | "face.profileR" | "mouth.front" | "mouth.right" | "mouth.left" | "mouth.upper" | "mouth.lower" | null;
  state: "converting" | "ready" | "unconverted" | "failed";
  takenAt: string | null;
  createdAt: string;
  description: string | null;
  modality: string | null;
  count: number;
  bytes: number;
  thumbnailUrl: string | null;
  patientName: string;
  named: {
    name: string;
    guessed: boolean;
  } | null;
  header: Array<{
    key: string;
    value: string;
  }>;
  series: Array<ImageSeries>;
}

export interface StudyAttachRequest {
  id: string;
  patientId?: string;
  kind?: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "model";
  acceptMismatch?: boolean;
}

export interface StudyCancelJobRequest {
  id: string;
}

export interface StudyConversionResult {
  state: "converting" | "ready" | "unconverted" | "failed";
  isShown: boolean;
  again: boolean;
  job: string | null;
  progress: number;
}

export interface StudyConvertRequest {
  id: string;
}

export interface StudyConvertResult {
  state: "converting" | "ready" | "unconverted" | "failed";
  isShown: boolean;
  again: boolean;
  job: string | null;
  progress: number;
}

export interface StudyDownloadRequest {
  studies: Array<string>;
  nameless?: {
    pseudonym?: string;
    dates?: "removed" | "moved" | "kept";
  };
}

export interface StudyDownloadResult {
  id: string;
  url: string;
  files: number;
  bytes: number;
}

export interface StudyDownloadStateResult {
  id: string;
  state: "waiting" | "running" | "done" | "failed";
  files: number;
  done: number;
}

export type StudyListResult = Array<StudyRow>;

export interface StudyMarksResult {
  version: number;
  marks: Array<Annotation>;
}

export interface StudyOpenRequest {
  patientId: string;
  kind?: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "model";
  uploads: Array<string>;
  photoViews?: {
    [name: string]: "face.rest" | "face.smile" | "face.profileR" | "mouth.front" | "mouth.right" | "mouth.left" | "mouth.upper" | "mouth.lower";
  };
  acceptMismatch?: boolean;
}

export interface StudyRow {
  id: string;
  patientId: string | null;
  kind: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "model" | "document";
  kindCertain: boolean;
  photoView: "face.rest" | "face.smile" | "face.profileR" | "mouth.front" | "mouth.right" | "mouth.left" | "mouth.upper" | "mouth.lower" | null;
  state: "converting" | "ready" | "unconverted" | "failed";
  takenAt: string | null;
  createdAt: string;
  description: string | null;
  modality: string | null;
  count: number;
  bytes: number;
  thumbnailUrl: string | null;
}

export interface VolumeInfo {
  columns: number;
  rows: number;
  slices: number;
  spacing: Array<number>;
  origin: Array<number>;
  direction: Array<number>;
  min: number;
  max: number;
  window: GreyWindow;
  fileWindow?: GreyWindow;
  valueOffset: number;
  valueScale: number;
  valueName: "HU" | "grey";
}

/** The calls that a key of an organisation may make, with what they take and return. */
export interface Calls {
  /** By a key: makes a single-use code that opens this product as `?token=` for a member of its organisation who allowed it. Scope: launch. */
  "launch.code": { input: LaunchCodeRequest; output: LaunchCodeResult };
  /** The session's organisation. Scope: organisation.read. */
  "institution.detail": { input: Record<string, unknown>; output: Institution };
  /** The organisation's relationships, newest first. Scope: organisation.read. */
  "relation.list": { input: {
    state?: "requested" | "established" | "rejected" | "cancelled" | "closing" | "ended";
  }; output: RelationListResult };
  /** The clinic's patients; search over name, pinyin initials, number, phone and entry number. Scope: patients.read. */
  "patient.list": { input: {
    search?: string;
    sex?: "male" | "female" | "other";
    ageFrom?: number;
    ageTo?: number;
    createdFrom?: string;
    createdTo?: string;
    visitFrom?: string;
    visitTo?: string;
    ct?: "yes" | "no";
    report?: "yes" | "no";
    sort?: "recentVisitAt" | "createdAt" | "name" | "age";
    way?: "up" | "down";
    cursor?: string;
    pageSize?: number;
  }; output: PatientListResult };
  /** One patient's record. Scope: patients.read. */
  "patient.detail": { input: {
    id: string;
  }; output: Patient };
  /** Makes a patient. Candidates for the same person are refused once with patientDuplicate unless `evenIfDuplicate`. Scope: patients.write. */
  "patient.create": { input: PatientCreateRequest; output: Patient };
  /** Changes a patient's record, from the version that was seen. A name, birth date or identity number that now names somebody else's record too is asked about as in create. Scope: patients.write. */
  "patient.update": { input: PatientUpdateRequest; output: Patient };
  /** What happened to a patient, newest first; `kinds` names those wanted, with commas between. Scope: patients.read. */
  "patient.timeline": { input: {
    id: string;
    kinds?: string;
    cursor?: string;
    pageSize?: number;
  }; output: PatientTimelineResult };
  /** The studies of one patient. Scope: studies.read. */
  "study.list": { input: {
    patientId: string;
    kind?: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "model" | "document";
  }; output: StudyListResult };
  /** One study with its series and the addresses of what viewers show. A lab sees those of its orders. Scope: studies.read. */
  "study.detail": { input: {
    id: string;
    brief?: string;
  }; output: Study };
  /** Gives a study of the inbox its patient, or changes a study's kind. Scope: studies.write. */
  "study.attach": { input: StudyAttachRequest; output: StudyRow };
  /** Ends an upload: the named uploads become the patient's studies in a job. Scope: studies.write. */
  "study.open": { input: StudyOpenRequest; output: IngestJob };
  /** How far an ingest is, and what was refused. Scope: studies.read. */
  "study.job": { input: {
    id: string;
  }; output: IngestJob };
  /** Stops an ingest that has not finished, nothing of it stays; or the making of files for viewers, the originals stay. Scope: studies.write. */
  "study.cancelJob": { input: StudyCancelJobRequest; output: IngestJob };
  /** Makes a study's files for viewers again, where they were removed or could not be made; asked again, it goes on. Scope: studies.read. */
  "study.convert": { input: StudyConvertRequest; output: StudyConvertResult };
  /** How far the making of a study's files for viewers is. Scope: studies.read. */
  "study.conversion": { input: {
    id: string;
  }; output: StudyConversionResult };
  /** Measurements and annotations of a study, as they are or as they were in a version. Scope: studies.read. */
  "study.marks": { input: {
    id: string;
    version?: number;
  }; output: StudyMarksResult };
  /** Prepares one archive of one patient's studies, as they came or de-identified; answers its short-lived address. A lab gets one study that an order brings, without names where they are hidden. Scope: studies.read. */
  "study.download": { input: StudyDownloadRequest; output: StudyDownloadResult };
  /** How many files of an archive have been written. Scope: studies.read. */
  "study.downloadState": { input: {
    id: string;
  }; output: StudyDownloadStateResult };
  /** Orders that this organisation sent or received; behind a cursor a page costs what the first one does. Scope: orders.read. */
  "order.list": { input: {
    page?: number;
    pageSize?: number;
    cursor?: string;
    state?: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    states?: string;
    search?: string;
    turn?: "mine";
    task?: "answer" | "reviewScheme" | "reviewDesign" | "receive" | "resend" | "accept" | "plan" | "design" | "ship" | "forward" | "atClinic" | "shipped";
    patientId?: string;
    caseType?: "restoration" | "implant" | "orthodontics" | "other";
    otherIid?: string;
    personId?: string;
    createdFrom?: string;
    createdTo?: string;
    dueFrom?: string;
    dueTo?: string;
    sentFrom?: string;
    sentTo?: string;
    completedFrom?: string;
    completedTo?: string;
    delivered?: "late" | "onTime";
    remake?: "any" | "lab" | "clinic" | "material" | "patient" | "unstated";
    list?: "sent" | "received";
    sort?: "number" | "created" | "updated" | "due" | "patient" | "state";
    way?: "up" | "down";
  }; output: OrderListResult };
  /** How many orders stand in each state, and how many wait for this organisation. Scope: orders.read. */
  "order.counts": { input: Record<string, unknown>; output: OrderCountsResult };
  /** One order with its prescription, files, revisions, timeline, messages and the actions open to the reader. Scope: orders.read. */
  "order.detail": { input: {
    id: string;
  }; output: Order };
  /** Makes a draft or changes one; with `send` it is submitted in the same transaction. Scope: orders.write. */
  "order.save": { input: OrderSaveRequest; output: Order };
  /** Moves an order by one action of its life cycle. Scope: orders.write. */
  "order.step": { input: OrderStepRequest; output: OrderStepResult };
  /** Says something to the other side of an order. Scope: orders.write. */
  "order.message": { input: MessageInputInput; output: OrderMessage };
  /** Makes a new draft with the same prescription. Scope: orders.write. */
  "order.copy": { input: OrderCopyRequest; output: Order };
  /** Prepares one archive of the files of an order, or of some of them, with a manifest of their hashes; answers its short-lived address. A lab gets what it may take, without names where they are hidden. Scope: orders.read. */
  "order.download": { input: OrderDownloadRequest; output: OrderDownloadResult };
  /** Changes the draft by which a lab passes an order on; with `send` it is submitted in the same transaction. Scope: orders.write. */
  "order.saveChild": { input: OrderSaveChildRequest; output: Order };
  /** Makes a new draft of a completed order whose work has to be made again. Scope: orders.write. */
  "order.remake": { input: OrderRemakeRequest; output: Order };
  /** The short-lived address of an order's prescription on paper: a PDF in A4, as the asker may know it. Scope: orders.read. */
  "order.prescription": { input: {
    id: string;
    lang?: "zh" | "en";
    teeth?: "fdi" | "palmer" | "universal";
  }; output: OrderPrescriptionResult };
  /** Says that the asker has opened a scheme or a design; a design can be approved only after this. Scope: orders.write. */
  "order.openRevision": { input: OrderOpenRevisionRequest; output: null };
  /** Comments at places of an order's models, with their answers. Scope: orders.read. */
  "order.pins": { input: {
    id: string;
  }; output: OrderPinsResult };
  /** The prescription of an order as it was handed over and after each change. Scope: orders.read. */
  "order.rx": { input: {
    id: string;
  }; output: OrderRxResult };
}

/** The method and the address of each call. */
export const callRoutes = {
  "launch.code": ["POST", "/v1/base/launchCode"],
  "institution.detail": ["GET", "/v1/institution/detail"],
  "relation.list": ["GET", "/v1/relation/list"],
  "patient.list": ["GET", "/v1/patient/list"],
  "patient.detail": ["GET", "/v1/patient/detail"],
  "patient.create": ["POST", "/v1/patient/create"],
  "patient.update": ["POST", "/v1/patient/update"],
  "patient.timeline": ["GET", "/v1/patient/timeline"],
  "study.list": ["GET", "/v1/study/list"],
  "study.detail": ["GET", "/v1/study/detail"],
  "study.attach": ["POST", "/v1/study/attach"],
  "study.open": ["POST", "/v1/study/open"],
  "study.job": ["GET", "/v1/study/job"],
  "study.cancelJob": ["POST", "/v1/study/cancelJob"],
  "study.convert": ["POST", "/v1/study/convert"],
  "study.conversion": ["GET", "/v1/study/conversion"],
  "study.marks": ["GET", "/v1/study/marks"],
  "study.download": ["POST", "/v1/study/download"],
  "study.downloadState": ["GET", "/v1/study/downloadState"],
  "order.list": ["GET", "/v1/order/list"],
  "order.counts": ["GET", "/v1/order/counts"],
  "order.detail": ["GET", "/v1/order/detail"],
  "order.save": ["POST", "/v1/order/save"],
  "order.step": ["POST", "/v1/order/step"],
  "order.message": ["POST", "/v1/order/message"],
  "order.copy": ["POST", "/v1/order/copy"],
  "order.download": ["POST", "/v1/order/download"],
  "order.saveChild": ["POST", "/v1/order/saveChild"],
  "order.remake": ["POST", "/v1/order/remake"],
  "order.prescription": ["GET", "/v1/order/prescription"],
  "order.openRevision": ["POST", "/v1/order/openRevision"],
  "order.pins": ["GET", "/v1/order/pins"],
  "order.rx": ["GET", "/v1/order/rx"],
} as const satisfies Record<keyof Calls, readonly [method: string, path: string]>;
