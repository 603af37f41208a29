package dev.sequitur.node.rpc;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a process can tell of itself to who looks for a fault.
 *
 * @param configuration without secrets; empty where there is no file
 * @param log the file that it writes; empty if the log goes elsewhere
 */
public record Diagnosable(String configuration, Optional<Path> log) {
  /** Of a node within a test or a demonstration. */
  public static final Diagnosable NOTHING = new Diagnosable("", Optional.empty());
}
