import { Badge } from "@mantine/core";
import { dentistRoles, managerRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { orderTodayCalls } from "@arcada/contract/order/order-today.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { reportCalls } from "@arcada/contract/report/report.calls";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { useCall } from "../../data/use-call.ts";
import { formatDay, formatTimeAgo } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { OrderGroupSection } from "../../order/today/order-group.tsx";
import { useRole } from "../../session/current-user.ts";
import { StudyThumbnail } from "../../study/study-thumbnail.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { NothingWaits, TodayColumns, TodayLayout, useShownPerson } from "./today-layout.tsx";
import { formatInboxCount } from "../../study/inbox/format-inbox-count.ts";
import { AllLink, TodayRowLink, TodaySection } from "./today-section.tsx";
import classes from "./today.module.css";

const rows = 6;

/**
 * The day of a clinic: the orders whose turn it is, and beside them what else waits. A manager sees the images that
 * nobody has matched, a dentist what is new for the patients whom they treat.
 */
export function ClinicToday() {
  const personId = useShownPerson();
  const role = useRole();
  const isManager = hasAccess(managerRoles, role);
  const today = useCall(orderTodayCalls.today, personId === undefined ? {} : { personId }, { keepPrevious: true });
  return (
    <TodayLayout isPersonal>
      <TodayColumns
        aside={
          <>
            {isManager || role === "clinicAssistant" ? <UnmatchedImages /> : <PatientNews />}
            {hasAccess(dentistRoles, role) && <UnsignedReports />}
          </>
        }
      >
        <QueryResult of={today}>
          {({ day, groups }) =>
            groups.every(({ total }) => total === 0) ? (
              <NothingWaits />
            ) : (
              groups
                .filter(({ total }) => total > 0)
                .map((group) => (
                  <OrderGroupSection key={group.group} {...group} day={day} personId={personId} people={[]} />
                ))
            )
          }
        </QueryResult>
      </TodayColumns>
    </TodayLayout>
  );
}

function UnmatchedImages() {
  const t = useTexts("today", "study");
  const inbox = useCall(inboxCalls.inbox, { pageSize: rows });
  return (
    <QueryResult of={inbox} isEmpty={({ total }) => total === 0} empty={null}>
      {({ list, total }) => (
        <TodaySection
          title={t("today.inbox.title")}
          count={formatInboxCount(total)}
          actions={
            total > list.length && (
              <AllLink screen="inbox" title={t("today.inbox.title")} count={formatInboxCount(total)} />
            )
          }
        >
          {list.map((study) => (
            <TodayRowLink
              key={study.id}
              screen="inbox"
              picture={<StudyThumbnail study={study} className={classes.picture} isSmall />}
              title={study.person?.name || t("today.inbox.nobody")}
              text={[
                t(`study.kind.${study.kind}`),
                formatTimeAgo(study.createdAt),
                t("today.inbox.candidates", { count: study.candidates.length }),
              ].join(" · ")}
            />
          ))}
        </TodaySection>
      )}
    </QueryResult>
  );
}

function UnsignedReports() {
  const t = useTexts("today");
  const unsigned = useCall(reportCalls.list, { unsigned: "true", pageSize: rows });
  return (
    <QueryResult of={unsigned} isEmpty={({ total }) => total === 0} empty={null}>
      {({ list, total }) => (
        <TodaySection title={t("today.report.title")} count={total}>
          {list.map((report) => (
            <TodayRowLink
              key={report.id}
              screen="reportDetail"
              search={{ id: report.id }}
              title={report.patientName}
              text={t("today.report.line", { number: report.number, name: report.writer })}
              badge={
                <Badge variant="light" tt="none" color={report.state === "in_review" ? "yellow" : "gray"}>
                  {t(report.state === "in_review" ? "today.report.inReview" : "today.report.draft")}
                </Badge>
              }
            />
          ))}
        </TodaySection>
      )}
    </QueryResult>
  );
}

function PatientNews() {
  const t = useTexts("today");
  const news = useCall(patientCalls.news, {});
  return (
    <QueryResult of={news} isEmpty={({ list }) => list.length === 0} empty={null}>
      {({ list }) => (
        <TodaySection title={t("today.news.title")} description={t("today.news.says")} count={list.length}>
          {list.map(({ id, name, number, since, ...counts }) => (
            <TodayRowLink
              key={id}
              screen="patientDetail"
              search={{ id }}
              title={name}
              text={[number, formatDay(since)].join(" · ")}
              badge={(["images", "designs", "messages"] as const)
                .filter((kind) => counts[kind] > 0)
                .map((kind) => (
                  <Badge key={kind} variant="light" tt="none">
                    {t(`today.news.${kind}`, { count: counts[kind] })}
                  </Badge>
                ))}
            />
          ))}
        </TodaySection>
      )}
    </QueryResult>
  );
}
