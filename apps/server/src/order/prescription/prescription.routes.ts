import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { toothSchemes } from "@arcada/contract/kernel/tooth-schemes";
import { prescriptionCalls } from "@arcada/contract/order/prescription-paper.calls";
import type { Database } from "../../platform/database/database.ts";
import { documentUrl } from "../../platform/http/pdf-routes.ts";
import type { OpenDocument } from "../../platform/http/pdf-routes.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { readInstitutionZone } from "../../domain/institution-time-zone.ts";
import { viewOrder } from "../core/order.view.ts";
import type { Reader } from "../core/order.view.ts";
import { buildPrescriptionDocument } from "./prescription.document.ts";

export const prescriptionRoutes = routes(prescriptionCalls, {
  prescription: async ({ id, lang, teeth }, context) => {
    const { principal, now, language } = context;
    await viewPrescription(context, id);
    const documentLanguage = offeredLanguages.find((one) => one === (lang ?? language)) ?? "en";
    return {
      url: documentUrl(
        "order",
        { iid: principal.iid, uid: principal.uid, id, language: documentLanguage, scheme: teeth },
        now,
      ),
    };
  },
});

/** The prescription as its reader may know it at this moment. */
export const openPrescription =
  (database: Database): OpenDocument =>
  ({ iid, uid, id, language, scheme }, now) =>
    database.as({ system: false, iid, uid }, async (db) => {
      const order = await viewPrescription({ db, principal: { iid, uid, role: "clinicMember" }, now }, id);
      const options = {
        language: offeredLanguages.find((one) => one === language) ?? "en",
        scheme: toothSchemes.find((one) => one === scheme) ?? "fdi",
        zone: await readInstitutionZone(db, order.sender.iid),
      };
      return { name: `${order.number}.pdf`, document: buildPrescriptionDocument(order, options, now) };
    });

/** The receiver of an order that ended without acceptance keeps a line and no prescription. */
async function viewPrescription(reader: Reader, id: string) {
  const order = await viewOrder(reader, id);
  const isHeaderOnly = order.mine === "receiver" && (order.state === "cancelled" || order.state === "refused");
  return isHeaderOnly ? refuse("notAllowed") : order;
}
