import { Button, CloseButton, FileButton, Group, Stack, Text } from "@mantine/core";
import { IconCamera } from "@tabler/icons-react";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import { feedbackRules } from "@arcada/contract/feedback/feedback.rules";
import { send } from "../data/ask.ts";
import { notifyCommandSuccess } from "../data/command-success-and-ended-records.ts";
import { formatBytes } from "../i18n/format.ts";
import { uploadInParts } from "../data/upload-in-parts.ts";
import { showError } from "../data/show-error.ts";
import { useTexts } from "../i18n/texts.ts";

interface Props {
  chosen: readonly File[];
  maxCount: number;
  onChange: (files: File[]) => void;
}

/** Images to send; a phone offers its camera. */
export function ImageChooser({ chosen, maxCount, onChange }: Props) {
  const t = useTexts("feedback");
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <FileButton
          multiple
          accept="image/jpeg,image/png,image/webp"
          disabled={chosen.length >= maxCount}
          onChange={(files) => onChange([...chosen, ...files.filter(fitsSizeLimit)].slice(0, maxCount))}
          inputProps={{ "aria-label": t("feedback.addPictures") }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconCamera size={18} aria-hidden />}>
              {t("feedback.addPictures")}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed">
          {t("feedback.picturesText", { count: maxCount, size: formatBytes(feedbackRules.pictureBytes) })}
        </Text>
      </Group>
      {chosen.map((file, at) => (
        <Group key={`${file.name} ${file.lastModified} ${file.size}`} gap="xs" wrap="nowrap">
          <Text size="sm" truncate>
            {file.name}
          </Text>
          <Text size="xs" c="dimmed">
            {formatBytes(file.size)}
          </Text>
          <CloseButton
            size="sm"
            aria-label={t("feedback.dropPicture", { name: file.name })}
            onClick={() => onChange(chosen.toSpliced(at, 1))}
          />
        </Group>
      ))}
    </Stack>
  );
}

const fitsSizeLimit = ({ size }: File): boolean => size > 0 && size <= feedbackRules.pictureBytes;

/** Sends the images one after the other. A rejected one is reported and left out. */
export async function uploadImages(feedback: string, images: readonly File[]): Promise<void> {
  for (const image of images) {
    try {
      const request = { id: feedback, name: image.name, bytes: image.size };
      const { id } = await send(feedbackCalls.addPicture, request);
      await uploadInParts(image, { path: `/feedbackPictures/${id}`, offset: 0, pieceBytes: feedbackRules.chunkBytes });
    } catch (error) {
      showError(error);
    }
  }
  notifyCommandSuccess(feedbackCalls.addPicture);
}
