import { createContext, use } from "react";

/** The heading of the viewer: the patient to whom the images belong, and their date. */
export const RoomWords = createContext({ title: "", text: "" });

export const useRoomWords = (): { title: string; text: string } => use(RoomWords);
