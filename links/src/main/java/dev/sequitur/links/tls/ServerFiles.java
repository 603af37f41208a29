package dev.sequitur.links.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files of a server that callers know by its host's name. They may be replaced while it
 * runs: the next connection uses the new ones.
 *
 * @param certificate issuers after it if there are any between it and one that callers trust
 * @param privateKey of the certificate, not encrypted
 * @param clients certificates whose holders may say which client is who; empty if no client is
 *     asked for a certificate
 */
public record ServerFiles(Path certificate, Path privateKey, Optional<Path> clients) {}
