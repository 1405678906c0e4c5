import type { Input } from "@arcada/contract/kernel/call";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import type { patientCalls } from "@arcada/contract/patient/patient.calls";

type Rx = Omit<Input<typeof orderCalls.save>, "patientId" | "studies" | "targetIid" | "dueDate">;
export type ImageKind = "panorama" | "ceph" | "film" | "ct" | "scans";

export interface DemoCase {
  /** Also the seed of the generated head. */
  entry: string;
  patient: Omit<Input<typeof patientCalls.create>, "entryNumber">;
  images: ImageKind[];
  /** The prescription of the demo order and its final state; none: no order. */
  order?: { rx: Rx; until: OrderState; dueInDays: number };
}

const crownsAndBridge: Rx = {
  caseType: "restoration",
  items: [
    { teeth: [11], kind: "crown", material: "zirconia", shade: "A2" },
    { teeth: [21], kind: "crown", material: "zirconia", shade: "A2" },
    { teeth: [35, 36, 37], kind: "bridge", material: "layeredZirconia", shade: "A3", pontics: [36] },
  ],
  workKinds: ["design", "machining"],
  instructions: "前牙颜色请参考照片，咬合稍放低。Match the incisal translucency of the neighbours.",
};

/** The patients of the demonstration's clinic. Invented people; their images are generated. */
export const cases: DemoCase[] = [
  {
    entry: "M-1001",
    patient: {
      name: "张伟",
      sex: "male",
      birthDate: "1979-03-18",
      phone: "13800010001",
      allergies: "青霉素 Penicillin",
      hypertension: true,
    },
    images: ["panorama", "ct", "scans"],
    order: { rx: crownsAndBridge, until: "awaiting_design", dueInDays: 6 },
  },
  {
    entry: "M-1002",
    patient: {
      name: "Emma Johnson",
      sex: "female",
      birthDate: "1991-11-02",
      phone: "07700900123",
      remark: "Prefers messages in English",
    },
    images: ["panorama", "film"],
    order: {
      rx: {
        caseType: "implant",
        items: [{ teeth: [46], kind: "crown", material: "zirconia", shade: "B1" }],
        workKinds: ["design", "machining"],
        implantSystem: "Straumann BLT RC",
        fixType: "screw",
        schemeRequired: true,
        instructions: "Screw access slightly lingual, please.",
        noDigitalFiles: true,
      },
      until: "awaiting_scheme",
      dueInDays: 9,
    },
  },
  {
    entry: "M-1003",
    patient: { name: "李娜", sex: "female", birthDate: "2009-07-25", phone: "13800010003", habits: ["mouthBreathing"] },
    images: ["ceph", "scans"],
    order: {
      rx: {
        caseType: "orthodontics",
        items: [],
        workKinds: ["design"],
        jaws: ["maxilla", "mandible"],
        instructions: "请设计隐形矫治方案，下前牙轻度拥挤。Mild lower crowding.",
      },
      until: "pending",
      dueInDays: 12,
    },
  },
  {
    entry: "M-1004",
    patient: { name: "Miguel Santos", sex: "male", birthDate: "1968-01-30", phone: "912345678", diabetes: true },
    images: ["scans"],
    order: {
      rx: {
        caseType: "restoration",
        items: [{ teeth: [26], kind: "inlay", material: "glassCeramic", shade: "A3.5" }],
        workKinds: ["design", "machining"],
      },
      until: "awaiting_receipt",
      dueInDays: 2,
    },
  },
  {
    entry: "M-1005",
    patient: { name: "王芳", sex: "female", birthDate: "1985-09-09", phone: "13800010005" },
    images: ["film", "scans"],
    order: {
      rx: {
        caseType: "restoration",
        items: [{ teeth: [16], kind: "crown", material: "pressCeramic", shade: "A1" }],
        workKinds: ["design", "machining"],
      },
      until: "completed",
      dueInDays: 1,
    },
  },
  {
    entry: "M-1006",
    patient: { name: "陈静", sex: "female", age: 63, phone: "13800010006", pastHistory: "2019 年右下种植。" },
    images: ["panorama"],
    order: {
      rx: {
        caseType: "restoration",
        items: [{ teeth: [44, 45, 46], kind: "bridge", material: "zirconia", shade: "C1", pontics: [45] }],
        workKinds: ["design", "machining"],
        noDigitalFiles: true,
      },
      until: "draft",
      dueInDays: 7,
    },
  },
  {
    entry: "M-1007",
    patient: { name: "欧阳明月", sex: "female", birthDate: "1996-12-24", phone: "13800010007" },
    images: [],
  },
  {
    entry: "M-1008",
    patient: { name: "Liam O'Brien", sex: "male", birthDate: "2001-05-14", phone: "0851234567" },
    images: ["ceph"],
  },
  {
    entry: "M-1009",
    patient: { name: "周小禾", sex: "female", birthDate: "2018-05-20", phone: "13800010009", habits: ["sugar"] },
    images: [],
  },
];
