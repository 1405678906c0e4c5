import { Box, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page.module.css";

interface PageProps {
  title: ReactNode;
  /** One line under the title. */
  description?: ReactNode;
  /** Buttons at the right of the title; the page's main action last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page behind the sign-in: title, actions and content. */
export function PageBody({ title, description, actions, children }: PageProps) {
  return (
    <Stack gap="lg" className={classes.page}>
      <Group justify="space-between" align="flex-start" gap="md">
        <Box miw={0} flex="1 1 240px">
          <Title order={1}>
            <bdi>{title}</bdi>
          </Title>
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
  );
}

interface SectionProps {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** True for content that reaches the card's edges, such as a table. */
  flush?: boolean;
  children: ReactNode;
}

/** A card of a page. */
export function Section({ title, description, actions, flush, children }: SectionProps) {
  return (
    <Paper className={classes.section} component="section">
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
    </Paper>
  );
}
