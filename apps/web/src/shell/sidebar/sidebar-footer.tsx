import { IconExternalLink, IconSparkles } from "@tabler/icons-react";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { usageCalls } from "@arcada/contract/capacity/usage.calls";
import { usageColour } from "@arcada/contract/capacity/capacity.rules";
import { clinicRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useRole } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { useCallOnce } from "../../data/use-call-once.ts";
import { StorageBar } from "./storage-bar.tsx";
import { UsageBar } from "../../ui/usage-bar.tsx";
import { HoverTooltip } from "../../ui/overlays/hover-tooltip.tsx";
import classes from "./sidebar.module.css";

/** Under the sidebar: storage for clinics and labs, analyses and the official website for clinics. */
export function SidebarFooter({ narrow }: { narrow: boolean }) {
  return (
    <div className={classes.foot}>
      <StorageBar narrow={narrow} />
      <AnalysesBar narrow={narrow} />
      <WebsiteLink narrow={narrow} />
    </div>
  );
}

function AnalysesBar({ narrow }: { narrow: boolean }) {
  const t = useTexts("capacity");
  const may = useCanAccess(usageCalls.analyses);
  const { data } = useCall(usageCalls.analyses, {}, { enabled: may });
  if (!may || !data) return null;
  return (
    <div className={classes.usage}>
      <UsageBar
        narrow={narrow}
        Icon={IconSparkles}
        title={t("capacity.analyses")}
        text={t("capacity.analysesOf", { noi: data.noi, total: data.total })}
        percent={data.percent}
        colour={usageColour(data.percent)}
      />
    </div>
  );
}

function WebsiteLink({ narrow }: { narrow: boolean }) {
  const t = useTexts("shell");
  const isClinic = hasAccess(clinicRoles, useRole());
  const site = useCallOnce(loginPageCalls.welcome, isClinic)?.company.site;
  if (!isClinic || !site) return null;
  return (
    <HoverTooltip label={t("shell.website")} position="right" disabled={!narrow}>
      <a href={site} target="_blank" rel="noopener noreferrer" className={classes.website}>
        <IconExternalLink size={16} stroke={1.6} aria-hidden />
        <span className={classes.title}>{t("shell.website")}</span>
      </a>
    </HoverTooltip>
  );
}
