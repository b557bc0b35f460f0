/** The log: one JSON object for each line. */
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/** Formats of times in the log: ISO 8601, or milliseconds since 1970. */
export type LogTime = 'iso' | 'epoch';

/** A log with the names of levels in place of pino's numbers. */
export function createLog(level: string, time: LogTime, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: time === 'epoch' ? stdTimeFunctions.epochTime : stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}
