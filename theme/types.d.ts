// The shapes that the scripts hand each other; read by `tsc --noEmit --checkJs theme/*.js theme/types.d.ts` only.

/** A step of a figure. Its caption is the element in the list of steps. */
interface Step {
  name: string;
  beat: string;
  quick: boolean;
  caption: Element;
}

/** A panel at one width, as the build baked it: Plotly's data, layout and one frame for every step. */
interface Drawing {
  data: any[];
  layout: any;
  frames: { data: any[]; traces: number[]; layout?: any }[];
  /** Steps at which nothing may tween. */
  cuts?: number[];
}

interface PanelData extends Drawing {
  name: string;
  motion: "tween" | "cut";
  phone?: Drawing;
}

interface Panel {
  readonly shown: number | undefined;
  mount(step: number): Promise<void>;
  show(step: number, duration: number): Promise<unknown>;
  finish(): Promise<unknown>;
}

/** Tells of itself by the events "step", "playing" and "drawing". */
interface Player extends EventTarget {
  readonly steps: Step[];
  readonly step: number;
  readonly key: number;
  readonly last: number;
  readonly untouched: boolean;
  readonly playing: boolean;
  readonly drawing: "waiting" | "loading" | "ready" | "failed";
  go(step: number, how?: { forward?: boolean }): void;
  next(): void;
  previous(): void;
  nextBeat(): void;
  previousBeat(): void;
  play(): void;
  pause(): void;
  prepare(): Promise<void>;
}

/** The colours of the theme, as Plotly takes them. */
interface Palette {
  /** One step for each paint, for filled marks and their outlines. */
  scale: [number, string][];
  /** The colour of a line or a text of that paint. */
  stroke(paint: string): string;
  hairline: string;
}

interface Window {
  /** What the scripts of a page share. */
  Flipbook: any;
  Plotly: any;
}

declare const Plotly: any;
