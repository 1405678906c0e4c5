import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { idleState } from "../../session/idle-watch.ts";
import { useStore } from "../../browser/external-store.ts";

/** `unavailable`: no camera, no permission, or a page over plain http. Photographs come from the phone's own camera then. */
export type CameraState = "opening" | "live" | "unavailable";

/** Shows the camera at the back of the phone in a video element; a locked page releases it. */
export function useCamera(): { video: RefObject<HTMLVideoElement | null>; state: CameraState } {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>(() => (hasCamera() ? "opening" : "unavailable"));
  const isLocked = useStore(idleState).kind === "locked";
  const isActive = !isLocked && state !== "unavailable";
  useEffect(() => {
    if (!isActive) return;
    let stream: MediaStream | null = null;
    let isOver = false;
    const open = async () => {
      const opened = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: { ideal: "environment" }, width: { ideal: 3840 }, height: { ideal: 2160 } },
      });
      stream = opened;
      if (isOver || !video.current) return stopTracks(opened);
      video.current.srcObject = opened;
      await video.current.play();
      setState("live");
    };
    open().catch(() => {
      if (!isOver) setState("unavailable");
    });
    return () => {
      isOver = true;
      if (stream) stopTracks(stream);
    };
  }, [isActive]);
  return { video, state };
}

const hasCamera = (): boolean => "mediaDevices" in navigator;
const stopTracks = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop();
};
