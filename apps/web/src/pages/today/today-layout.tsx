import { SegmentedControl } from "@mantine/core";
import type { ReactNode } from "react";
import { managerRoles, hasAccess, roles } from "@arcada/contract/kernel/roles";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useRole, useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FirstStepsCard } from "../../institution/first-steps.tsx";
import { NoticePresetMenu } from "../../notice/preset-menu.tsx";
import { PageBody } from "../../ui/page.tsx";
import { EmptyState } from "../../ui/page-states.tsx";
import { SamplePatientButton } from "../sample-patient-button.tsx";
import classes from "./today.module.css";

/** They see everybody's work first: an assistant's orders stand under the dentists for whom they were prepared. */
const everyoneFirst = [...managerRoles, "clinicAssistant"] as const;

/** Returns the person whose work is shown; undefined: everybody's. */
export function useShownPerson(): string | undefined {
  const role = useRole();
  const { uuid } = useSignedInUser();
  const { whose = hasAccess(everyoneFirst, role) ? "everyone" : "mine" } = useSearchParams();
  return whose === "mine" ? uuid : undefined;
}

interface TodayLayoutProps {
  /** Switches of the page beside that of the person. */
  actions?: ReactNode;
  isPersonal?: boolean;
  /** One line under the title, instead of the usual one. */
  description?: string;
  children: ReactNode;
}

/** The title of the page for the day, and the choice between one's own work and everybody's. */
export function TodayLayout({ actions, isPersonal = false, description, children }: TodayLayoutProps) {
  const t = useTexts("today", "shell");
  return (
    <PageBody
      title={t("shell.screen.today")}
      description={description ?? t("today.says")}
      actions={
        <>
          {isPersonal && <PersonSwitch />}
          {actions}
        </>
      }
    >
      <FirstSteps />
      {children}
    </PageBody>
  );
}

/** The card of a new organisation. The lists show it to a reader who starts with them. */
function FirstSteps() {
  const role = useRole();
  const side = role ? roles[role].side : "none";
  const offers = { notices: <NoticePresetMenu />, ...(side === "clinic" && { patient: <SamplePatientButton /> }) };
  return side === "none" ? null : <FirstStepsCard offers={offers} />;
}

function PersonSwitch() {
  const t = useTexts("today");
  const setSearch = useSetSearchParams();
  return (
    <SegmentedControl
      aria-label={t("today.whose")}
      value={useShownPerson() === undefined ? "everyone" : "mine"}
      onChange={(whose) => setSearch({ whose })}
      data={(["mine", "everyone"] as const).map((value) => ({ value, label: t(`today.${value}`) }))}
    />
  );
}

/** The work at the left, and what accompanies it at the right; on a narrow page one below the other. */
export function TodayColumns({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns} data-aside={aside ? true : undefined}>
      <div className={classes.main}>{children}</div>
      {aside && <div className={classes.main}>{aside}</div>}
    </div>
  );
}

export function NothingWaits() {
  const t = useTexts("today");
  return <EmptyState title={t("today.calm.title")} text={t("today.calm.text")} />;
}
