import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { toothSchemes } from "@arcada/contract/kernel/tooth";
import { prescriptionCalls } from "@arcada/contract/order/prescription.calls";
import type { Database } from "../platform/database/database.ts";
import { documentUrl } from "../platform/http/document-routes.ts";
import type { OpenDocument } from "../platform/http/document-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { zoneOfInstitution } from "../domain/institution-time-zone.ts";
import { viewOrder } from "./order.view.ts";
import type { Reader } from "./order.view.ts";
import { prescriptionPaper } from "./prescription.paper.ts";

export const prescriptionRoutes = routes(prescriptionCalls, {
  prescription: async ({ id, lang, teeth }, context) => {
    const { asker, now, language } = context;
    await readable(context, id);
    const spoken = offeredLanguages.find((one) => one === (lang ?? language)) ?? "en";
    return { url: documentUrl("order", { iid: asker.iid, uid: asker.uid, id, language: spoken, scheme: teeth }, now) };
  },
});

/** The prescription as its reader may know it at this moment. */
export const openPrescription =
  (database: Database): OpenDocument =>
  ({ iid, uid, id, language, scheme }, now) =>
    database.as({ system: false, iid, uid }, async (db) => {
      const order = await readable({ db, asker: { iid, uid, role: "clinicMember" }, now }, id);
      const how = {
        language: offeredLanguages.find((one) => one === language) ?? "en",
        scheme: toothSchemes.find((one) => one === scheme) ?? "fdi",
        zone: await zoneOfInstitution(db, order.sender.iid),
      };
      return { name: `${order.number}.pdf`, paper: prescriptionPaper(order, how, now) };
    });

/** The receiver of an order that ended without acceptance keeps a line and no prescription. */
async function readable(reader: Reader, id: string) {
  const order = await viewOrder(reader, id);
  const isHeaderOnly = order.mine === "receiver" && (order.state === "cancelled" || order.state === "refused");
  return isHeaderOnly ? refuse("notAllowed") : order;
}
