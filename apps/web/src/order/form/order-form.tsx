import { Alert, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { ScreenLink, useOpenScreen, useSearchParams } from "../../browser/navigation.tsx";
import { usePageTitle } from "../../browser/page-title.ts";
import { useOrderNames } from "../../i18n/order-name.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { PageBody } from "../../ui/page.tsx";
import { CaseSection, NotesSection } from "./case-section.tsx";
import { DeliverySection } from "./delivery-section.tsx";
import { toDraft, createEmptyDraft, hasItems } from "./order-draft.ts";
import type { OrderStart } from "./order-defaults.ts";
import { FilesSection } from "./files-section.tsx";
import { CaseImport } from "../case-import/case-import.tsx";
import { ItemsSection } from "./items-section.tsx";
import { PatientSection } from "./patient-section.tsx";
import { SendReadiness } from "./send-readiness.tsx";
import { TemplateMenu } from "../templates/template-menu.tsx";
import { useDraft } from "./use-draft.ts";
import type { DraftForm } from "./use-draft.ts";
import { useTemplates } from "../templates/use-templates.ts";
import type { FormSectionProps } from "./form-section-props.ts";
import { useOrderFiles } from "./use-order-files.ts";
import { useOrderCheck } from "./use-order-check.ts";
import classes from "./order-form.module.css";

interface OrderFormProps {
  /** The draft to edit, or null for a new one. */
  order: Order | null;
  /** The values with which a new order begins; null for a draft. */
  start: OrderStart | null;
  /** The patient for which the page was opened; it is fixed then. */
  patientId: string | undefined;
  onCreated: (id: string) => void;
}
/**
 * The order form of a clinic: saved automatically, complete according to the rules of its case type, sent by one
 * button.
 */
export function OrderForm({ order, start, patientId, onCreated }: OrderFormProps) {
  const t = useTexts("order");
  const [initial] = useState(() => ({
    draft: order ? toDraft(order) : (start?.draft ?? createEmptyDraft(patientId ?? "")),
    order,
  }));
  const form = useDraft(initial, onCreated);
  const templates = useTemplates(form, start);
  const check = useOrderCheck(form);
  const [attempted, setAttempted] = useState(false);
  const [uploading, setUploading] = useState(false);
  const files = useOrderFiles(form.draft, templates.change, setUploading);
  const isPatientFixed = patientId !== undefined || order !== null;
  const send = useSend(form);
  const names = useOrderNames();
  const title = form.saved ? names.title({ ...form.saved, work: form.draft.items }) : t("order.form.title");
  const { id } = useSearchParams();
  // The title belongs to the saved draft's own tab, not to the tab in which it was started.
  usePageTitle(form.saved?.id === id ? title : undefined, id);
  const part: FormSectionProps = {
    draft: form.draft,
    change: templates.change,
    error: (...names) => {
      const problem = names.map((name) => form.problems[name]).find(Boolean);
      const missingField = attempted
        ? names.map((name) => check.missing.find((one) => one === name)).find(Boolean)
        : undefined;
      return problem ?? (missingField && t(`order.missing.${missingField}`));
    },
  };
  const onSend = async () => {
    setAttempted(true);
    if (check.missing.length > 0) return scrollToProblem();
    await send();
  };
  if (form.saving === "notDraft") return <NotDraftNotice order={form.theirs} />;
  return (
    <PageBody
      title={title}
      actions={
        <>
          <CaseImport
            draft={form.draft}
            isPatientFixed={isPatientFixed}
            files={files}
            onFill={(fields) => templates.change(fields)}
          />
          <TemplateMenu draft={form.draft} templates={templates} />
        </>
      }
    >
      {form.saving === "conflict" && form.theirs && <Conflict form={form} />}
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          <PatientSection {...part} isFixed={isPatientFixed} />
          <CaseSection {...part} />
          {hasItems(form.draft.caseType) && <ItemsSection {...part} defaults={templates.defaults} />}
          <NotesSection {...part} />
          <FilesSection {...part} studies={check.studies} files={files} />
        </Stack>
        <div className={classes.aside}>
          <DeliverySection {...part} applied={templates.applied} />
          <SendReadiness form={form} check={check} uploading={uploading} onSend={onSend} />
        </div>
      </div>
    </PageBody>
  );
}

/** Sends the order and opens it. After a rejection the input stays. */
function useSend({ saver }: DraftForm): () => Promise<void> {
  const t = useTexts("order");
  const go = useOpenScreen();
  return async () => {
    const sent = await saver.send();
    if (!sent) return scrollToProblem();
    saver.forget();
    const { number, receiver } = sent;
    toast("success", t(receiver ? "order.form.sentTo" : "order.form.sent", { number, name: receiver?.name ?? "" }));
    go("orderDetail", { id: sent.id }, { replace: true });
  };
}

/** Scrolls to the first field with an error and focuses it. */
function scrollToProblem(): void {
  setTimeout(() => {
    const firstProblem = document.querySelector<HTMLElement>("[data-problem], [aria-invalid='true']");
    firstProblem?.scrollIntoView({ block: "center", behavior: "smooth" });
    firstProblem?.focus({ preventScroll: true });
  }, 50);
}

function Conflict({ form }: { form: DraftForm }) {
  const t = useTexts("order");
  return (
    <Alert color="orange" title={t("order.saving.conflict")}>
      <Stack gap="sm">
        {t("order.saving.conflictText")}
        <Group gap="xs">
          <Button size="xs" onClick={() => form.saver.keepMine()}>
            {t("order.saving.keepMine")}
          </Button>
          <Button size="xs" variant="default" onClick={() => form.saver.takeTheirs()}>
            {t("order.saving.takeTheirs")}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Shown if the draft was sent in the meantime, or if the address names an order that is not a draft. */
export function NotDraftNotice({ order }: { order: Order | null }) {
  const t = useTexts("order");
  return (
    <Alert title={t("order.form.notDraft")}>
      <Button size="xs" component={ScreenLink} screen="orderDetail" search={{ id: order?.id }}>
        {t("order.form.openOrder")}
      </Button>
    </Alert>
  );
}
