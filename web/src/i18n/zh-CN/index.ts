import type { Words } from "../words.ts";
import { capability } from "./capability.ts";
import { experiment } from "./experiment.ts";
import { home } from "./home.ts";
import { numbers } from "./numbers.ts";
import { shell } from "./shell.ts";
import { states } from "./states.ts";

export const words: Words = { capability, experiment, home, numbers, shell, states };
