package dev.sequitur.schedule;

import dev.sequitur.protocol.id.ContractAddress;

/** What is handed over, and whose outcome comes later (SCH-16). */
public sealed interface HandedOver permits Target.Call, Crossing {
  /** Those that wait for the room of one another: of a privacy group, or of what they call. */
  ContractAddress line();
}
