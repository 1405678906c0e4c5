import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { useCall } from "../../data/use-call.ts";
import { formatTimeAgo } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { formatPlan } from "../../capacity/format-capacity.ts";
import { HealthLights } from "../../operator/health-lights.tsx";
import { Section } from "../../ui/page.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { TodayColumns, TodayLayout } from "./today-layout.tsx";
import { PlainLink, TodayRowLink, TodaySection } from "./today-section.tsx";

const rows = 8;

/** The day of the operator: the health of the instance, and what waits for a decision. */
export function OperatorToday() {
  return (
    <TodayLayout>
      <TodayColumns>
        <Health />
        <PaymentsToConfirm />
        <EnginesToSwitchOn />
      </TodayColumns>
    </TodayLayout>
  );
}

function Health() {
  const t = useTexts("today", "operator");
  const overview = useCall(operatorCalls.overview, {}, { pollMs: 30_000 });
  return (
    <Section
      title={t("today.operator.health")}
      actions={<PlainLink screen="systemHealth">{t("operator.toHealth")}</PlainLink>}
    >
      <QueryResult of={overview}>{({ lights }) => <HealthLights lights={lights} />}</QueryResult>
    </Section>
  );
}

/** Included engines run for nobody at first. The operator learns of them here, until one is switched on. */
function EnginesToSwitchOn() {
  const t = useTexts("today");
  const { data } = useCall(analysisCalls.included, {});
  const isWaiting = data && data.engines.length > 0 && data.engines.every(({ audience }) => audience === "nobody");
  if (!isWaiting) return null;
  return (
    <Section
      title={t("today.operator.engines")}
      description={t("today.operator.enginesText")}
      actions={<PlainLink screen="aiEngines">{t("today.operator.toEngines")}</PlainLink>}
    >
      {null}
    </Section>
  );
}

function PaymentsToConfirm() {
  const t = useTexts("today", "capacity");
  const payments = useCall(capacityCalls.payments, { state: "waiting", pageSize: rows });
  return (
    <QueryResult of={payments} isEmpty={({ total }) => total === 0} empty={null}>
      {({ list, total }) => (
        <TodaySection
          title={t("today.operator.payments")}
          count={total}
          actions={
            <PlainLink screen="cards" search={{ tab: "payments" }}>
              {t("today.operator.toPayments")}
            </PlainLink>
          }
        >
          {list.map((payment) => (
            <TodayRowLink
              key={payment.id}
              screen="cards"
              search={{ tab: "payments" }}
              title={payment.institution.name}
              text={[
                formatPlan(t, payment.plan),
                ...(payment.askedBy ? [payment.askedBy] : []),
                formatTimeAgo(payment.askedAt),
              ].join(" · ")}
            />
          ))}
        </TodaySection>
      )}
    </QueryResult>
  );
}
