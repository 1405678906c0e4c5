import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { use } from "react";
import type { ReactNode } from "react";
import { PageHelpSlot } from "./page-help-slot.ts";
import classes from "./page.module.css";
import { TitledPageContext } from "./titled-page.ts";

interface PageProps {
  title: ReactNode;
  /** One line under the title that says what the page is about. */
  description?: ReactNode;
  /** Buttons at the right of the title; the page's main action last, and only that one filled. */
  actions?: ReactNode;
  /** "reading" for a page that is a single form or text; lists and details use the full width. */
  width?: "full" | "reading";
  children: ReactNode;
}

/** A page behind the sign-in: title, actions and content. */
export function PageBody({ title, description, actions, width = "full", children }: PageProps) {
  const help = use(PageHelpSlot);
  return (
    <TitledPageContext value>
      <Stack gap="lg" className={classes.page} data-width={width}>
        <Group justify="space-between" align="flex-start" gap="md">
          <Box miw={0} flex="1 1 240px">
            <div className={classes.title}>
              <Title order={1}>
                <bdi>{title}</bdi>
              </Title>
              {help}
            </div>
            {description && (
              <Text c="dimmed" size="sm" mt={4}>
                {description}
              </Text>
            )}
          </Box>
          {actions && <Group gap="sm">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </TitledPageContext>
  );
}

interface SectionProps {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** True for rows that bring their own padding, such as a table: they reach into the page's gutter. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of a page with a heading. It is no card: sections are kept apart by a line and by space. */
export function Section({ title, description, actions, flush, children }: SectionProps) {
  return (
    <section className={classes.section} data-flush={flush || undefined}>
      {(title || actions) && (
        <Group justify="space-between" className={classes.head} gap="sm">
          <Box miw={0}>
            {title && (
              <Title order={2} size="h3">
                {title}
              </Title>
            )}
            {description && (
              <Text c="dimmed" size="sm" mt={2}>
                {description}
              </Text>
            )}
          </Box>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div className={flush ? undefined : classes.body}>{children}</div>
    </section>
  );
}
