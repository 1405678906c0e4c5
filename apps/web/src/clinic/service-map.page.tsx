import { serviceFigureCalls } from "@arcada/contract/clinic/service-figures.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { ServiceStatistics } from "./service-statistics.tsx";
import { MapAsText } from "./map-as-text.tsx";
import classes from "./service-map.module.css";
import { WorldMap } from "./world-map.tsx";

/** A map of the clinics with open after-sales work, and the key figures of that work. */
export function Page() {
  const t = useTexts("clinic");
  const map = useCall(serviceFigureCalls.map, {});
  const figures = useCall(serviceFigureCalls.figures, {});
  return (
    <PageBody title={t("clinic.map.title")} description={t("clinic.map.says")}>
      <Section flush>
        <QueryResult
          of={map}
          isEmpty={({ clinics, elsewhere }) => clinics.length + elsewhere.length === 0}
          empty={<EmptyState title={t("clinic.empty")} text={t("clinic.emptyText")} />}
        >
          {(mapped) => (
            <div className={classes.map}>
              <WorldMap clinics={mapped.clinics} />
              <MapAsText mapped={mapped} />
            </div>
          )}
        </QueryResult>
      </Section>
      <QueryResult of={figures}>{(known) => <ServiceStatistics figures={known} />}</QueryResult>
    </PageBody>
  );
}
