import { Badge, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink } from "../../browser/navigation.tsx";
import type { SearchParams } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import classes from "./today.module.css";

interface TodaySectionProps {
  title: string;
  description?: string;
  count: number | string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A group of things that wait, with their number. */
export function TodaySection({ title, description, count, actions, children }: TodaySectionProps) {
  return (
    <Section
      flush
      description={description}
      actions={actions}
      title={
        <span className={classes.title}>
          {title}
          <Badge variant="light" size="lg" circle={String(count).length < 3}>
            {count}
          </Badge>
        </span>
      }
    >
      <ul className={classes.rows}>{children}</ul>
    </Section>
  );
}

interface TodayRowProps {
  screen: ScreenName;
  search?: SearchParams;
  picture?: ReactNode;
  title: string;
  text: string;
  /** At the end of the row. */
  badge?: ReactNode;
}

interface AllLinkProps {
  screen: ScreenName;
  search?: SearchParams;
  title: string;
  count: number | string;
}
/** A link to the list behind a group of which only the first rows are shown. */
export function AllLink({ screen, search, title, count }: AllLinkProps) {
  const t = useTexts("today");
  return (
    <PlainLink screen={screen} {...(search && { search })} label={t("today.allOf", { title, count })}>
      {t("today.all", { count })}
    </PlainLink>
  );
}

interface PlainLinkProps {
  screen: ScreenName;
  search?: SearchParams;
  label?: string;
  children: ReactNode;
}
export function PlainLink({ screen, search, label, children }: PlainLinkProps) {
  return (
    <ScreenLink
      screen={screen}
      {...(search && { search })}
      className={classes.link}
      {...(label && { "aria-label": label })}
    >
      {children}
    </ScreenLink>
  );
}

/** One thing that waits, as a link to it. */
export function TodayRowLink({ screen, search, picture, title, text, badge }: TodayRowProps) {
  return (
    <li>
      <ScreenLink screen={screen} {...(search && { search })} className={classes.row}>
        {picture}
        <span className={classes.text}>
          <Text component="span" fw={600} truncate>
            {title}
          </Text>
          <Text component="span" size="xs" c="dimmed" truncate>
            {text}
          </Text>
        </span>
        {badge}
      </ScreenLink>
    </li>
  );
}
