import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconDownload, IconFileCertificate } from "@tabler/icons-react";
import Markdown from "markdown-to-jsx";
import { useState } from "react";
import type { ReactNode } from "react";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageDetail as Package } from "@arcada/contract/upgrade/upgrade.calls";
import { ask } from "../data/ask.ts";
import { formatBytes, formatTimestamp } from "../i18n/format.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { NameUnder } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { CopyText } from "../ui/copy-text.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { PackageStateBadge } from "./package-state-badge.tsx";
import classes from "./upgrade.module.css";

/** One package: its content, its proof of origin, its download. */
export function PackageDetail({ id, children }: { id: string; children: ReactNode }) {
  const query = useCall(upgradeCalls.detail, { id });
  return <QueryResult of={query}>{(one) => <LoadedPackage one={one}>{children}</LoadedPackage>}</QueryResult>;
}

function LoadedPackage({ one, children }: { one: Package; children: ReactNode }) {
  const t = useTexts("upgrade");
  return (
    <PageBody
      title={one.name}
      description={`${one.product} ${one.version} · ${formatBytes(one.size)} · ${formatTimestamp(one.publishedAt)}`}
      actions={<PackageActions one={one} />}
    >
      {one.state === "withdrawn" && (
        <Alert color="red" title={t("upgrade.withdrawnTitle", { time: formatTimestamp(one.withdrawnAt) })}>
          {one.withdrawalReason}
        </Alert>
      )}
      <Section title={t("upgrade.description")} actions={<PackageStateBadge state={one.state} />}>
        <div className={classes.description} dir="auto">
          <Markdown options={{ disableParsingRawHTML: true, forceBlock: true, overrides: { img: NoImage } }}>
            {one.description}
          </Markdown>
        </div>
      </Section>
      <Section title={t("upgrade.proof")} description={t("upgrade.proofText")}>
        <SignatureProof one={one} />
      </Section>
      {one.fetched && (
        <Section title={t("upgrade.fetched", { count: one.downloads ?? 0 })}>
          <DownloadList downloads={one.fetched} />
        </Section>
      )}
      {children}
    </PageBody>
  );
}

/** A description must not load images from other hosts into the page. */
const NoImage = () => null;

function PackageActions({ one }: { one: Package }) {
  const t = useTexts("upgrade");
  const [isFetching, setFetching] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const withdraw = useCommand(upgradeCalls.withdraw);
  const mayWithdraw = useCanAccess(upgradeCalls.withdraw);
  if (one.state === "withdrawn") return null;
  const download = async (what: "url" | "signatureUrl") => {
    setFetching(true);
    // The error is already shown.
    const address = await ask(upgradeCalls.download, { id: one.id }).catch(() => null);
    setFetching(false);
    if (address) location.assign(address[what]);
  };
  return (
    <>
      {mayWithdraw && (
        <Button variant="default" onClick={() => setConfirming(true)}>
          {t("upgrade.withdraw")}
        </Button>
      )}
      <Button
        variant="default"
        loading={isFetching}
        leftSection={<IconFileCertificate size={18} aria-hidden />}
        onClick={() => void download("signatureUrl")}
      >
        {t("upgrade.downloadSignature")}
      </Button>
      <Button
        loading={isFetching}
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => void download("url")}
      >
        {t("common.download")}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={(reason) =>
          void withdraw.run({ id: one.id, reason }).then((done) => {
            if (done) setConfirming(false);
          })
        }
        title={t("upgrade.withdrawTitle", { product: one.product, version: one.version })}
        text={t("upgrade.withdrawText")}
        confirm={t("upgrade.withdraw")}
        danger
        busy={withdraw.busy}
        reason={{ label: t("upgrade.reason"), required: true }}
      />
    </>
  );
}

function SignatureProof({ one }: { one: Package }) {
  const t = useTexts("upgrade");
  const facts: [NameUnder<"upgrade">, ReactNode][] = [
    ["fileName", one.fileName],
    ["size", t("upgrade.bytes", { count: one.size })],
    ["sha256", <CopyText key="sum" text={one.sha256} />],
    ["algorithm", one.algorithm],
    ["signedBy", one.signedBy],
    ["signature", <CopyText key="signature" text={one.signature} />],
  ];
  return (
    <Stack gap="md">
      <DescriptionList entries={facts.map(([name, value]) => [t(`upgrade.${name}`), value])} />
      <Text size="sm">{t("upgrade.verifyText")}</Text>
      <Code block dir="ltr" tabIndex={0}>
        {t("upgrade.verifyCommand", { file: one.fileName, key: one.signedBy })}
      </Code>
    </Stack>
  );
}

function DownloadList({ downloads }: { downloads: NonNullable<Package["fetched"]> }) {
  const t = useTexts("upgrade");
  if (downloads.length === 0) return <Text c="dimmed">{t("upgrade.fetchedByNobody")}</Text>;
  return (
    <Stack component="ul" gap={6} className={classes.fetched!}>
      {downloads.map(({ id, who, isDevice, time }) => (
        <li key={id}>
          <Group gap="xs">
            <Text size="sm">{isDevice ? t("upgrade.deviceFetched", { serial: who }) : who}</Text>
            <Text size="xs" c="dimmed" className="arcada-figures">
              {formatTimestamp(time)}
            </Text>
          </Group>
        </li>
      ))}
    </Stack>
  );
}
