import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { AnalysisDetail, SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import type { Geometry } from "@arcada/contract/analysis/observation";
import { useTeeth } from "../kernel/tooth.ts";
import { useTexts } from "../kernel/texts.ts";
import styles from "./analysis-review.module.css";
import { MeasuredList } from "./measured-list.tsx";
import { LookedFor } from "./looked-for.tsx";
import { EngineFacts } from "./engine-card.tsx";
import { isSuggestion, lookedAt, type Review } from "./review.ts";
import { Suggestions } from "./suggestions.tsx";
import { useReview } from "./use-review.ts";
import { codeName } from "./words.ts";

interface Shape {
  id: string;
  geometry: Geometry;
  look: "measured" | "open" | "accepted" | "rejected";
  label: string;
}
interface Props {
  analysis: AnalysisDetail;
  picture: (shapes: readonly Shape[], chosen: string | null, onChoose: (id: string) => void) => ReactNode;
}

/** The image with its findings, and next to it the suggestions to decide on and all other results as text. */
export function AnalysisReview({ analysis, picture }: Props) {
  const t = useTexts("analysis", "chart");
  const teeth = useTeeth();
  const suggestions = analysis.seen.filter(isSuggestion);
  const review = useReview(analysis, suggestions);
  const chosen = lookedAt(review.review, suggestions)?.id ?? null;
  const shapes = analysis.seen.flatMap((one): Shape[] =>
    one.geometry ? [{ id: one.id, geometry: one.geometry, look: lookOf(review.review, one), label: labelOf(one) }] : [],
  );
  function labelOf({ code, target }: SeenObservation): string {
    const tooth = target.kind === "tooth" ? teeth.name(target.fdi) : "";
    return code === "TOOTH_BOX" && tooth ? tooth : [codeName(t, code), tooth].filter(Boolean).join(" ");
  }
  return (
    <div className={styles.sides}>
      <div className={styles.picture} role="img" aria-label={t("analysis.result.picture")}>
        {picture(shapes, chosen, review.lookAt)}
      </div>
      <Stack className={styles.words} gap="lg" tabIndex={0} role="region" aria-label={t("analysis.result.title")}>
        <p className={styles.reference}>{t("analysis.reference")}</p>
        <Suggestions {...{ suggestions, review }} />
        <MeasuredList analysis={analysis} />
        <LookedFor analysis={analysis} />
        <details>
          <summary>{t("analysis.engine.card")}</summary>
          <EngineFacts info={analysis.info} signedBy={null} />
        </details>
      </Stack>
    </div>
  );
}

function lookOf({ choices }: Review, one: SeenObservation): Shape["look"] {
  if (!isSuggestion(one)) return "measured";
  const what = choices[one.id]?.action ?? one.decision?.what;
  if (what === undefined) return "open";
  return what === "reject" ? "rejected" : "accepted";
}
