package dev.sequitur.links.tls;

import java.nio.file.Path;

/**
 * The PEM files of a node. They may be replaced while it runs: the next connection uses the new
 * ones.
 *
 * @param certificate the node's, issuers after it if there are any between it and a trusted one
 * @param privateKey of the certificate, not encrypted
 * @param trust certificates whose holders may say who is who
 */
public record TlsFiles(Path certificate, Path privateKey, Path trust) {}
