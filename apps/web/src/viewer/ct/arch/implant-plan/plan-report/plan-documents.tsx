import { Anchor, Button, Group, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import { implantCalls, type PlanDocument } from "@arcada/contract/implant/implant.calls";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { toast } from "../../../../../browser/toast.ts";
import { createUniqueKey } from "../../../../../browser/unique-id.ts";
import { ask } from "../../../../../data/ask.ts";
import { useCall } from "../../../../../data/use-call.ts";
import { formatTimestamp } from "../../../../../i18n/format.ts";
import { useLanguage, useTexts } from "../../../../../i18n/texts.ts";
import { useCanAccess } from "../../../../../session/permission-gate.tsx";
import { useImplantSystems } from "../../../../../session/use-implant-systems.ts";
import type { CtViewerState } from "../../../layout/viewport-props.ts";
import { useRendering } from "../../../volume-rendering/rendering-context.tsx";
import { NotLoaded } from "../../../../ui/toolbar/lazy-form.tsx";
import { GuidePanel } from "../guide/guide-panel.tsx";
import type { PlanParts } from "../plan-props.ts";
import { collectPlanReport } from "./collect-plan-report.ts";

type DocumentParts = PlanParts & Pick<CtViewerState, "store" | "series">;

/** The report and the guide of the plan: what was made, and the buttons that make them. */
export function PlanDocuments(parts: DocumentParts) {
  const studyId = parts.annotations.studyId;
  const mayMake = useCanAccess(implantCalls.saveReport);
  return studyId !== null && mayMake ? <DocumentsOfStudy {...parts} studyId={studyId} /> : null;
}

function DocumentsOfStudy({ studyId, ...parts }: DocumentParts & { studyId: string }) {
  const t = useTexts("implant");
  const documents = useCall(implantCalls.documents, { studyId });
  const refetch = () => void documents.refetch();
  const { make, busy, problem } = useReport(studyId, parts, refetch);
  return (
    <div role="group" aria-label={t("implant.documents.title")}>
      <Text size="xs" fw={600} mb={4}>
        {t("implant.documents.title")}
      </Text>
      <Button size="compact-sm" fullWidth loading={busy} onClick={() => void make()}>
        {t("implant.documents.make")}
      </Button>
      <Text size="xs" role="status" c={problem ? "orange.3" : "dimmed"}>
        {busy ? t("implant.documents.drawing") : problem}
      </Text>
      {documents.isPending && <Skeleton h={28} my={4} role="status" aria-label={t("common.loading")} />}
      {!documents.data && documents.isError && <NotLoaded retry={refetch} />}
      {documents.data?.map((document) => (
        <DocumentLine key={document.id} document={document} />
      ))}
      <GuidePanel {...parts} studyId={studyId} onSaved={refetch} />
    </div>
  );
}

function DocumentLine({ document: { kind, url, madeAt, madeBy, isOutdated } }: { document: PlanDocument }) {
  const t = useTexts("implant");
  return (
    <Group gap={6} wrap="nowrap" justify="space-between" mih={28}>
      <div>
        <Anchor href={url} target="_blank" rel="noopener" size="xs">
          {t(`implant.documents.${kind}`)}
        </Anchor>
        <Text size="xs" c="dimmed">
          {t("implant.documents.madeBy", { time: formatTimestamp(madeAt), name: madeBy })}
        </Text>
      </div>
      {isOutdated && (
        <Text size="xs" c="orange.3">
          {t("implant.documents.outdated")}
        </Text>
      )}
    </Group>
  );
}

/** Makes a report of the plan as it is saved; the volume must be whole, and the plan saved. */
function useReport(studyId: string, { arch, store, annotations, controls }: DocumentParts, onSaved: () => void) {
  const t = useTexts("implant");
  const language = useLanguage();
  const systems = useImplantSystems();
  const { scan } = useRendering();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const make = async () => {
    const { grid, fullInfo } = store;
    if (!grid?.isWhole) return setProblem(t("implant.documents.early"));
    // The version of what is shown, not of what the server has: another person may have changed the plan meanwhile.
    const version = annotations.findSavedVersion();
    if (version === null) return setProblem(t("implant.documents.unsaved"));
    setProblem(null);
    setBusy(true);
    try {
      const { drawPlanPictures } = await import("./draw-plan-pictures.ts");
      const pictures = await drawPlanPictures({ grid, arch, window: controls.displaySettings.window });
      const registered = scan.result && { name: scan.model?.name ?? "", ...scan.result };
      const content = collectPlanReport({ arch, systems, voxel: fullInfo.spacing, scan: registered });
      const lang = offeredLanguages.find((one) => one === language) ?? "en";
      await ask(
        implantCalls.saveReport,
        { studyId, version, content, pictures, lang },
        { timeout: reportTimeoutMs, idempotencyKey: createUniqueKey() },
      );
      toast("success", t("implant.documents.saved"));
      onSaved();
    } finally {
      setBusy(false);
    }
  };
  return { make: () => make().catch(() => {}), busy, problem };
}

/** Each picture is drawn again on the server, and the pages are set: half a minute for many implants. */
const reportTimeoutMs = 60_000;
