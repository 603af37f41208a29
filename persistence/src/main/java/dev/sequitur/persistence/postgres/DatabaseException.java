package dev.sequitur.persistence.postgres;

import dev.sequitur.protocol.port.StoreException;
import java.sql.SQLException;

/** The database cannot be used; the message is a sentence for the operator. */
public final class DatabaseException extends StoreException {
  private static final long serialVersionUID = 1L;

  public DatabaseException(String message, Throwable cause) {
    super(message, cause);
  }

  public DatabaseException(String message) {
    super(message);
  }

  /** Of a statement or transaction that failed; names neither a server nor a user. */
  public static DatabaseException of(SQLException failure) {
    return new DatabaseException(DatabaseTrouble.of(failure).sentence(), failure);
  }
}
