package dev.sequitur.node.configuration;

import dev.sequitur.links.file.FileStamps;
import java.nio.file.Path;

/**
 * Where a configuration was read.
 *
 * @param path as it was named
 * @param stamps of the file and of all that it includes, each as it was before it was read; of
 *     places where something that it includes was not found, too
 */
public record ConfigurationFile(Path path, FileStamps stamps) {}
