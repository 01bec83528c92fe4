-- What writes put aside for the search indexes is read by every search: keep it short.
alter index api_search_public set (gin_pending_list_limit = 256);
alter index api_search_registered set (gin_pending_list_limit = 256);
alter index api_search_limited set (gin_pending_list_limit = 256);
alter index api_version_search_public set (gin_pending_list_limit = 256);
alter index api_version_search_registered set (gin_pending_list_limit = 256);
alter index api_version_search_limited set (gin_pending_list_limit = 256);
