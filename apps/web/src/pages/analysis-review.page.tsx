import { analysisCalls, type AnalysisDetail } from "@arcada/contract/analysis/analysis.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { AnalysisReview } from "../analysis/analysis-review.tsx";
import { ToothPlanLinks } from "../chart/tooth-plan-links.tsx";
import { getEngineName } from "../analysis/analysis-text.ts";
import { formatDay } from "../i18n/format.ts";
import { useSearchParams } from "../browser/navigation.tsx";
import { useTexts, translateDynamic } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { NotFoundState } from "../ui/page-states.tsx";
import { Loading, NothingToShow } from "../viewer/ui/page/status-messages.tsx";
import { ViewerBackLink, ViewerPageFrame } from "../viewer/ui/page/viewer-page-frame.tsx";
import { DetectedShapesViewer, type DetectedShape } from "../viewer/image/detected-shapes/detected-shapes-viewer.tsx";
import { listStudyItems } from "../viewer/study-items.ts";

/** An analysis with its image, its findings and the dentist's decisions on them. */
export function Page() {
  const { id } = useSearchParams();
  const query = useCall(analysisCalls.detail, { id: id ?? "" }, { enabled: id !== undefined });
  if (!id) return <NotFoundState />;
  return <QueryResult of={query}>{(analysis) => <AnalysisViewer key={analysis.id} analysis={analysis} />}</QueryResult>;
}

function AnalysisViewer({ analysis }: { analysis: AnalysisDetail }) {
  const t = useTexts("analysis", "chart", "study");
  const { patientId, engine, studyKind, takenAt } = analysis;
  return (
    <ViewerPageFrame
      back={
        <ViewerBackLink
          screen="patientDetail"
          search={{ id: patientId ?? undefined, tab: "analyses" }}
          label={t("analysis.result.back")}
        />
      }
      title={`${t("analysis.result.title")} · ${getEngineName(t, engine)} ${engine.version}`}
      text={[t(`study.kind.${studyKind}`), takenAt && formatDay(takenAt)].filter(Boolean).join(" · ")}
    >
      <AnalysisReview
        analysis={analysis}
        renderImage={(shapes, chosen, onChoose) => <AnalysisImage {...{ analysis, shapes, chosen, onChoose }} />}
        renderPlan={(patient, fdi) => <ToothPlanLinks patientId={patient} tooth={{ fdi, presence: "missing" }} />}
      />
    </ViewerPageFrame>
  );
}

interface ImageProps {
  analysis: AnalysisDetail;
  shapes: readonly DetectedShape[];
  chosen: string | null;
  onChoose: (id: string) => void;
}
function AnalysisImage({ analysis: { studyId, instanceId, artefacts }, ...shown }: ImageProps) {
  const t = useTexts("analysis", "viewer");
  const query = useCall(studyCalls.detail, { id: studyId }, { enabled: instanceId !== null });
  const findInstance = (study: typeof query.data) =>
    study &&
    listStudyItems(study).flatMap((item) =>
      item.kind === "picture" && item.instance.id === instanceId ? [item.instance] : [],
    )[0];
  const [artefact] = artefacts;
  if (artefact)
    return <img src={artefact.url} alt={translateDynamic(t, `analysis.code.${artefact.code}`, artefact.code)} />;
  if (instanceId === null) return <NothingToShow label={t("analysis.result.noPicture")} />;
  if (query.isPending) return <Loading label={t("viewer.loading.picture")} />;
  const instance = findInstance(query.data);
  if (!instance?.picture) return <NothingToShow label={t("analysis.result.noPicture")} />;
  return (
    <DetectedShapesViewer
      {...shown}
      instance={instance}
      renew={async () => findInstance((await query.refetch()).data)?.picture ?? null}
    />
  );
}
