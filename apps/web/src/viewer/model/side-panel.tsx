import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./side-panel.module.css";

const sideTabs = ["models", "section", "compare", "pins"] as const;
export type SideTab = (typeof sideTabs)[number];

interface Props {
  tab: SideTab;
  onTab: (tab: SideTab) => void;
  panels: Record<SideTab, ReactNode>;
}

/** The panels beside the models, or below them on a narrow screen: models, section, comparison, comments. */
export function SidePanel({ tab, onTab, panels }: Props) {
  const t = useTexts("viewer");
  return (
    <Tabs
      className={styles.side ?? ""}
      value={tab}
      onChange={(name) => name && onTab(name as SideTab)}
      keepMounted={false}
      variant="default"
    >
      <Tabs.List className={styles.tabs ?? ""} aria-label={t("viewer.model.panels")} grow>
        {sideTabs.map((name) => (
          <Tabs.Tab key={name} value={name} className={styles.tab ?? ""}>
            {t(`viewer.model.tab.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sideTabs.map((name) => (
        <Tabs.Panel key={name} value={name} className={styles.panel ?? ""}>
          {panels[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
