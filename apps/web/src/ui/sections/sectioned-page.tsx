import { NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { PageBody } from "../page.tsx";
import classes from "./sections.module.css";
import { useCurrentSection } from "./use-current-section.ts";

/** A part of the page with an anchor in its address. The content brings its own heading. */
export interface PageSection {
  id: string;
  title: string;
  content: ReactNode;
}

interface SectionedPageProps {
  title: string;
  description?: string;
  actions?: ReactNode;
  sections: readonly PageSection[];
  /** A notice that comes before any section. */
  notice?: ReactNode;
  foot?: ReactNode;
  /** As in `PageBody`. */
  width?: "full" | "reading";
}

/** A long page of many sections: a navigation beside them, on a telephone a choice above them. */
export function SectionedPage({ title, description, actions, sections, notice, foot, width }: SectionedPageProps) {
  const [current, choose] = useCurrentSection(sections.map(({ id }) => id));
  return (
    <PageBody title={title} description={description} actions={actions}>
      {notice}
      <div className={classes.layout} data-width={width}>
        <SectionNavigation sections={sections} current={current} onChoose={choose} />
        <div className={classes.sections}>
          {sections.map(({ id, content }) => (
            <div key={id} id={id} className={classes.part}>
              {content}
            </div>
          ))}
          {foot}
        </div>
      </div>
    </PageBody>
  );
}

interface NavigationProps {
  sections: readonly PageSection[];
  current: string | undefined;
  onChoose: (id: string) => void;
}

function SectionNavigation({ sections, current, onChoose }: NavigationProps) {
  const t = useTexts("shell");
  return (
    <nav aria-label={t("shell.sections")} className={classes.navigation}>
      <ul className={classes.links}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={classes.link}
              aria-current={id === current ? "location" : undefined}
              onClick={() => onChoose(id)}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
      <NativeSelect
        className={classes.choice ?? ""}
        aria-label={t("shell.sections")}
        data={sections.map(({ id, title }) => ({ value: id, label: title }))}
        value={current ?? ""}
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.value);
          location.hash = currentTarget.value;
        }}
      />
    </nav>
  );
}
